// The page works without this: the form is then sent as any other, and the page shows how far an upload is when it is
// loaded. With it, files can be dropped, and both the sending and the indexing show how far they are.

const form = document.getElementById("upload");
const files = document.getElementById("files");
const drop = document.getElementById("drop");
const sending = document.getElementById("sending");
const works = document.getElementById("works");
const LOOK_MS = 1000;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const bar = sending.querySelector("progress");
  const status = sending.querySelector("[role=status]");
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", (sent) => {
    if (sent.lengthComputable) bar.value = sent.loaded / sent.total;
  });
  request.addEventListener("load", () => {
    const page = new DOMParser().parseFromString(request.responseText, "text/html");
    if (request.status === 422 && page.getElementById("upload")) refused(page);
    else if (request.status < 400) location.assign(request.responseURL);
    else again(page.querySelector("main")?.textContent.replace(/\s+/g, " ").trim() || status.dataset.failed);
  });
  request.addEventListener("error", () => again(status.dataset.failed));
  request.open("POST", form.action);
  request.send(new FormData(form));
  sending.hidden = false;
  status.textContent = status.dataset.sending;
});

// Lets the form be sent once more, and says why that is needed.
function again(words) {
  const status = sending.querySelector("[role=status]");
  sending.hidden = !words;
  status.textContent = words;
  delete form.dataset.sent;
  form.querySelector("button").removeAttribute("aria-busy");
}

// Shows what was wrong with some of the files, as it stands on the page that came back; the others are being read.
function refused(page) {
  for (const line of document.querySelectorAll("p.sorry")) line.remove();
  const panel = form.closest("section");
  for (const line of page.querySelectorAll("p.sorry")) panel.before(document.importNode(line, true));
  again("");
  files.value = "";
  scrollTo(0, 0);
  take(page, works);
  if (works.dataset.busy) setTimeout(follow, LOOK_MS);
}

// Shows what another page says under the same id.
function take(page, old) {
  const now = page.getElementById(old.id);
  old.replaceChildren(...now.children);
  old.dataset.busy = now.dataset.busy ?? "";
}

for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.add("over");
  });
}
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  if (event.dataTransfer.files.length) files.files = event.dataTransfer.files;
});

function show(work) {
  let line = works.querySelector(`[data-source="${CSS.escape(work.source)}"]`);
  if (!line) {
    line = document.createElement("div");
    line.className = "work";
    line.dataset.source = work.source;
    line.append(document.createElement("strong"), document.createElement("progress"), document.createElement("span"));
    line.firstElementChild.textContent = work.source;
    line.lastElementChild.className = "sub";
    line.lastElementChild.setAttribute("role", "status");
    works.append(line);
  }
  const bar = line.querySelector("progress");
  if (bar) [bar.max, bar.value] = [work.total, work.done];
  line.lastElementChild.textContent = work.words;
}

async function follow() {
  const answer = await fetch("/knowledge/progress").catch(() => null);
  if (answer?.ok) {
    const told = (await answer.json()).works;
    told.forEach(show);
    if (told.every((work) => work.over)) {
      if (!document.querySelector("p.sorry")) location.replace("/knowledge"); // the table has the new counts
      else {
        // What was wrong stays before whoever has to read it.
        const page = new DOMParser().parseFromString(await (await fetch("/knowledge")).text(), "text/html");
        take(page, works);
        take(page, document.getElementById("sources"));
      }
      return;
    }
  }
  setTimeout(follow, LOOK_MS);
}

if (works.dataset.busy) setTimeout(follow, LOOK_MS);
