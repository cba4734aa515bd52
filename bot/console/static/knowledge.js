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
    if (request.responseURL.includes("done=")) location.assign(request.responseURL);
    else {
      // What was wrong stands on the page that came back.
      document.open();
      document.write(request.responseText);
      document.close();
    }
  });
  request.addEventListener("error", () => {
    status.textContent = status.dataset.failed;
    delete form.dataset.sent;
    form.querySelector("button").removeAttribute("aria-busy");
  });
  request.open("POST", form.action);
  request.send(new FormData(form));
  sending.hidden = false;
  status.textContent = status.dataset.sending;
});

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
      location.replace("/knowledge"); // the table has the new counts
      return;
    }
  }
  setTimeout(follow, LOOK_MS);
}

if (works.dataset.busy) setTimeout(follow, LOOK_MS);
