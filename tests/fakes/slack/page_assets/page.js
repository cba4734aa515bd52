// The window of one person: sends what they do, and draws again when something changed.
"use strict";

const user = document.body.dataset.user;
const at = document.body.dataset.at;
let number = Number(document.body.dataset.number);
let drawing = null;

async function act(what) {
  const answer = await fetch("/client/act", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ user, at, ...what }),
  });
  const said = await answer.json();
  await draw();
  if (said.error) tell(said.error);
}

function tell(words) {
  const place = document.querySelector("[data-part=notice]");
  const line = document.createElement("p");
  line.className = "notice";
  line.setAttribute("role", "status");
  line.textContent = words;
  place.replaceChildren(line);
}

// One drawing at a time; a wish for another one while it runs is served right after it.
function draw() {
  if (!drawing) {
    drawing = redraw().finally(() => { drawing = null; });
    return drawing;
  }
  return drawing.then(draw);
}

async function redraw() {
  const answer = await fetch(location.href, { headers: { "X-Redraw": "1" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-part]")) {
    const other = fresh.querySelector(`[data-part=${part.dataset.part}]`);
    if (other && other.innerHTML !== part.drawn) replace(part, other);
  }
}

function replace(part, other) {
  const low = part.scrollHeight - part.scrollTop - part.clientHeight < 80;
  const focus = document.activeElement?.dataset.input;
  part.drawn = other.innerHTML;
  part.replaceChildren(...other.childNodes);
  if (low) part.scrollTop = part.scrollHeight;
  const again = focus && part.querySelector(`[data-input="${CSS.escape(focus)}"]`);
  if (again) again.focus();
}

async function follow() {
  for (;;) {
    try {
      const answer = await fetch(`/client/changes?since=${number}`);
      if (!answer.ok) throw new Error(answer.statusText);
      const said = await answer.json();
      if (said.number !== number) {
        number = said.number;
        await draw();
      }
    } catch {
      await new Promise((done) => setTimeout(done, 500));
    }
  }
}

function confirmed(asked) {
  const box = document.getElementById("confirm");
  const [deny, confirm] = box.querySelectorAll("button");
  box.querySelector("h2").textContent = asked.title.text;
  box.querySelector("p").textContent = asked.text.text;
  deny.textContent = asked.deny.text;
  confirm.textContent = asked.confirm.text;
  confirm.classList.toggle("danger", asked.style === "danger");
  box.showModal();
  return new Promise((done) => {
    deny.onclick = () => { box.close(); done(false); };
    confirm.onclick = () => { box.close(); done(true); };
    box.oncancel = () => done(false);
  });
}

async function press(button) {
  const { act: kind, on, name, verdict, url } = button.dataset;
  if (button.dataset.confirm && !(await confirmed(JSON.parse(button.dataset.confirm)))) return;
  if (kind === "rate") button.classList.add("pressed");
  if (url) window.open(url, "_blank", "noreferrer");
  await act({ act: kind, on, name, verdict, confirm: "confirm" in button.dataset ? true : null });
}

async function fill(input) {
  const name = input.dataset.input;
  const typed = ["checkbox", "radio"].includes(input.type)
    ? [...document.querySelectorAll(`[data-input="${CSS.escape(name)}"]:checked`)].map((each) => each.value)
    : input.value;
  await fetch("/client/act", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ user, at, act: "fill", name, typed }),
  });
}

async function submit(form) {
  if (form.dataset.act === "submit") {
    const names = new Map([...form.querySelectorAll("[data-input]")].map((each) => [each.dataset.input, each]));
    for (const input of names.values()) await fill(input);
    await act({ act: "submit" });
    return;
  }
  const box = form.querySelector("textarea");
  const typed = box.value.trim();
  box.value = "";
  grow(box);
  if (typed) await act({ act: "say", typed, thread: form.dataset.thread || null });
}

function grow(box) {
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, 220)}px`;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-act]");
  for (const open of document.querySelectorAll("details[open]")) {
    if (!open.contains(event.target) || button) open.removeAttribute("open");
  }
  if (button) press(button);
});
document.addEventListener("submit", (event) => { event.preventDefault(); submit(event.target); });
document.addEventListener("change", (event) => {
  const { input, act: kind, on, name } = event.target.dataset;
  if (input) fill(event.target);
  else if (kind === "choose" && event.target.value) act({ act: "choose", on, name, typed: event.target.value });
});
document.addEventListener("input", (event) => { if (event.target.closest(".compose")) grow(event.target); });
document.addEventListener("keydown", (event) => {
  const composing = event.target.closest?.(".compose");
  if (composing && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    submit(composing);
  } else if (event.key === "Escape" && document.querySelector(".modal")) act({ act: "close" });
});

for (const part of document.querySelectorAll("[data-part]")) {
  part.drawn = part.innerHTML;
  part.scrollTop = part.scrollHeight;
}
document.body.dataset.ready = "";
follow();
