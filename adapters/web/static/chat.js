// The browser chat: no build, no dependencies. The server draws every fragment of HTML (adapters/web/render.py); this
// file puts the fragments in their places and sends what the person does, each thing under an id of its own, so that
// sending it again changes nothing.

import { Parcels } from "./files.js";
import { Removal } from "./removal.js";

const root = document.getElementById("chat");
const { base, csrf, thread, user, path, zone } = root.dataset;
const words = JSON.parse(root.dataset.words);
const log = document.getElementById("log");
const spoken = document.getElementById("spoken");
const waiting = document.getElementById("waiting");
const trouble = document.getElementById("trouble");
const composer = document.getElementById("composer");
const box = composer.elements.text;
const language = document.documentElement.lang;
const chooser = document.getElementById("chooser");
const parcels = new Parcels({ list: document.getElementById("parcels"), address: `${base}/files`, csrf, words });

const removal = new Removal({
  dialog: document.getElementById("removal"),
  words,
  send: (message) => post("removals", { event_id: message }),
});

const RETRY_MS = [800, 2500];
const BUSY_MS = 15000;
const DRAFT_KEY = `dutydesk:draft:${user}:${thread}`;
const UNSENT_KEY = `dutydesk:unsent:${user}:${thread}`;

// ---------------------------------------------------------------- small things

const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const later = (ms) => new Promise((done) => setTimeout(done, ms));

function fragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content.firstElementChild;
}

// Storage may be full or forbidden; what is kept there is a convenience.
const store = {
  get(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      if (value) localStorage.setItem(key, value);
      else localStorage.removeItem(key);
    } catch {
      /* the page still works */
    }
  },
};

// Cards tell times in the person's own zone; so do the messages around them, wherever the browser is.
const timeZone = (() => {
  try {
    return new Intl.DateTimeFormat(language, { timeZone: zone || undefined }).resolvedOptions().timeZone;
  } catch {
    return undefined; // a zone that this browser does not know
  }
})();

function localTimes(within) {
  const day = (at) => at.toLocaleDateString("en", { timeZone });
  for (const time of within.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    const today = day(at) === day(new Date());
    const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone };
    time.textContent = at.toLocaleString(language, today ? clock : { ...clock, month: "short", day: "numeric" });
    time.title = at.toLocaleString(language, { timeZone });
  }
}

// ---------------------------------------------------------------- sending

async function attempt(door, body) {
  try {
    const response = await fetch(`${base}/${door}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
      body: JSON.stringify({ ...body, thread }),
      keepalive: true, // what was sent is sent, even when the page is left at once
      signal: AbortSignal.timeout(20000),
    });
    const data = await response.json().catch(() => ({}));
    return { status: response.status, data };
  } catch {
    return { status: 0, data: { message: words.not_sent } };
  }
}

// A lost connection and "not stored, try again" are tried again by themselves: the id makes that safe.
async function post(door, body) {
  if (door !== "feedback" && door !== "removals") expectedUntil = performance.now() + BUSY_MS;
  let answer = await attempt(door, body);
  for (const ms of RETRY_MS) {
    if (answer.status !== 0 && answer.status !== 503) break;
    await later(ms);
    answer = await attempt(door, body);
  }
  return answer;
}

// ---------------------------------------------------------------- the log

let expectedUntil = 0; // the person has just sent something and waits for what the desk says

const byReference = (reference) => log.querySelector(`[data-reference="${CSS.escape(reference)}"]`);
const byKey = (key) => log.querySelector(`[data-key="${CSS.escape(key)}"]`);

function show(fresh, old) {
  const near = log.scrollHeight - log.scrollTop - log.clientHeight < 160;
  const focused = old?.contains(document.activeElement);
  localTimes(fresh);
  if (old) old.replaceWith(fresh);
  else log.append(fresh);
  document.getElementById("welcome")?.setAttribute("hidden", "");
  if (focused) {
    fresh.tabIndex = -1;
    fresh.focus({ preventScroll: true });
  }
  // What the person waits for is brought into view; what merely happens is not, while older words are being read. A
  // card that is drawn again where it stands leaves the end in view for whoever was there.
  const awaited = near || fresh.classList.contains("person") || (!old && performance.now() < expectedUntil);
  if (awaited) reveal(log.lastElementChild);
}

// Go to the end, but never past the beginning of an answer and of the question before it.
function reveal(item) {
  const before = item.previousElementSibling;
  const start = before?.classList.contains("person") ? before : item;
  log.scrollTop = Math.min(log.scrollHeight - log.clientHeight, start.offsetTop - 16);
}

function onEntry(data) {
  const old = byReference(data.reference) ?? byKey(data.key);
  if (old?.dataset.reference && Number(old.dataset.seq) >= data.seq) return;
  show(fragment(data.html), old);
  if (data.removed) {
    spoken.textContent = data.spoken;
    rename();
  }
  if (data.author === "person") {
    forget(data.key);
    return;
  }
  waiting.hidden = true;
  if (!old?.dataset.reference) expectedUntil = 0; // an edit of the pressed card is not yet what the desk says
  spoken.textContent = data.spoken;
}

function onStream(data) {
  const old = byKey(data.key);
  if (old?.dataset.reference) return; // already finished
  waiting.hidden = true;
  show(fragment(data.html), old);
}

// ---------------------------------------------------------------- messages

const unsent = () => JSON.parse(store.get(UNSENT_KEY) ?? "[]");
const keep = (item) => store.set(UNSENT_KEY, JSON.stringify([...unsent().filter((each) => each.id !== item.id), item]));
function forget(key) {
  const left = unsent().filter((each) => `person:${each.id}` !== key);
  store.set(UNSENT_KEY, left.length ? JSON.stringify(left) : "");
}

const shown = (item) => [item.text, ...(item.files ?? []).map((file) => `📎 ${file.name}`)].filter(Boolean).join("\n");

function bubble(item) {
  const made = fragment(`<li class="entry person pending"><p class="by"><span class="who"></span></p><p class="said"></p></li>`);
  made.dataset.key = `person:${item.id}`;
  made.querySelector(".who").textContent = words.you;
  made.querySelector(".said").textContent = shown(item);
  return made;
}

async function deliver(item) {
  const mine = byKey(`person:${item.id}`) ?? bubble(item);
  if (!mine.isConnected) show(mine);
  mine.querySelector(".not-sent")?.remove();
  mine.classList.add("pending");
  waiting.hidden = false;
  reveal(mine);
  const answer = await post("messages", { event_id: item.id, text: item.text, files: item.files ?? [] });
  if (answer.status >= 200 && answer.status < 300) {
    forget(`person:${item.id}`);
    remember(shown(item));
    return;
  }
  waiting.hidden = true;
  const still = byKey(`person:${item.id}`);
  if (!still) return;
  const note = fragment(`<p class="not-sent" role="alert"><span></span> <button type="button" class="link"></button></p>`);
  note.firstElementChild.textContent = answer.data.message ?? words.not_sent;
  note.lastElementChild.textContent = words.retry;
  note.lastElementChild.addEventListener("click", () => deliver(item));
  still.append(note);
  reveal(still);
}

function say(text, files = []) {
  const item = { id: newId(), text, files };
  keep(item);
  deliver(item);
}

// The first message gives a new conversation its own address and a line in the list.
function remember(text) {
  if (location.pathname !== path) history.replaceState(null, "", path);
  const list = document.getElementById("threads");
  if (!list || list.querySelector(`[href="${CSS.escape(path)}"]`)) return;
  const line = fragment(`<li><a aria-current="page"></a></li>`);
  line.firstElementChild.href = path;
  line.firstElementChild.textContent = text.replace(/\s+/g, " ").slice(0, 80);
  list.prepend(line);
}

// A conversation is called by its first words; those of a removed message stand nowhere.
function rename() {
  const line = document.querySelector(`#threads [href="${CSS.escape(path)}"]`);
  const first = log.querySelector(".entry.person .said")?.textContent ?? "dutydesk";
  if (line) line.textContent = first.replace(/\s+/g, " ").slice(0, 80);
}

function grow() {
  box.style.setProperty("height", "auto");
  box.style.setProperty("height", `${Math.min(box.scrollHeight + 2, 200)}px`);
}

let sending = false;

composer.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sending || (!box.value.trim() && !parcels.count)) return;
  sending = true; // files first: what is written meanwhile belongs to this message, too
  await parcels.settled();
  sending = false;
  const text = box.value.trim();
  const files = parcels.take();
  if (!text && !files.length) return;
  box.value = "";
  store.set(DRAFT_KEY, "");
  grow();
  box.focus();
  say(text, files);
});

chooser.addEventListener("change", () => {
  parcels.add(chooser.files);
  chooser.value = "";
  box.focus();
});

box.addEventListener("paste", (event) => {
  if (!event.clipboardData.files.length) return;
  event.preventDefault();
  parcels.add(event.clipboardData.files);
});

root.addEventListener("dragover", (event) => {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
});

root.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  parcels.add(event.dataTransfer.files);
});

box.addEventListener("input", () => {
  store.set(DRAFT_KEY, box.value);
  grow();
});

box.addEventListener("keydown", (event) => {
  // While an input method composes (Chinese, Japanese …), Enter belongs to it.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  composer.requestSubmit();
});

// ---------------------------------------------------------------- buttons, suggestions, ratings

function busy(button, is) {
  const row = button.closest(".buttons, .rating") ?? button.parentElement;
  button.toggleAttribute("aria-busy", is);
  for (const each of row.querySelectorAll("button")) each.disabled = is;
}

function complain(beside, message) {
  const row = beside.closest(".buttons, .rating") ?? beside;
  row.nextElementSibling?.matches(".press-error") && row.nextElementSibling.remove();
  if (!message) return;
  const note = fragment(`<p class="error press-error" role="alert"></p>`);
  note.textContent = message;
  row.after(note);
}

async function press(button) {
  const item = button.closest(".entry");
  button.dataset.event ??= newId(); // kept when sending fails: the next try is the same press
  complain(button, "");
  busy(button, true);
  const answer = await post("press", {
    event_id: button.dataset.event,
    action: button.dataset.action,
    id: button.dataset.id,
    nonce: button.dataset.nonce,
    message: item?.dataset.reference ?? null,
  });
  if (answer.status === 200 && answer.data.receipt === "form") {
    delete button.dataset.event;
    busy(button, false);
    openForm(answer.data.html, item?.dataset.reference ?? null, button);
    return;
  }
  if (answer.status === 202) {
    // The card is replaced in a moment; if it is not, the button may be pressed again.
    setTimeout(() => {
      delete button.dataset.event;
      busy(button, false);
    }, BUSY_MS);
    return;
  }
  busy(button, false);
  complain(button, answer.data.message ?? Object.values(answer.data.errors ?? {})[0] ?? words.not_sent);
}

async function rate(button) {
  const rating = button.closest(".rating");
  busy(button, true);
  const answer = await post("feedback", {
    event_id: newId(),
    id: rating.dataset.rating,
    verdict: button.dataset.verdict,
  });
  busy(button, false);
  if (answer.status !== 202) {
    complain(button, answer.data.message ?? words.not_sent);
    return;
  }
  complain(button, "");
  for (const each of rating.querySelectorAll(".rate")) each.setAttribute("aria-pressed", String(each === button));
  rating.querySelector(".thanks").hidden = false;
  rating.querySelector(".reason").hidden = false;
  rating.querySelector(".reason input").focus();
}

async function giveReason(form) {
  const rating = form.closest(".rating");
  const reason = form.elements.reason.value.trim();
  const chosen = rating.querySelector('.rate[aria-pressed="true"]');
  if (!reason || !chosen) return;
  const answer = await post("feedback", {
    event_id: newId(),
    id: rating.dataset.rating,
    verdict: chosen.dataset.verdict,
    reason,
  });
  if (answer.status !== 202) {
    complain(rating, answer.data.message ?? words.not_sent);
    return;
  }
  complain(rating, "");
  form.hidden = true;
  rating.querySelector(".thanks").textContent = words.reason_sent;
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || button.disabled) return;
  if (button.dataset.action) press(button);
  else if (button.dataset.say) say(button.dataset.say);
  else if (button.classList.contains("rate")) rate(button);
  else if ("copy" in button.dataset) copy(button);
  else if (button.dataset.remove) removal.ask(button);
});

async function copy(button) {
  const code = button.closest("figure").querySelector("code").textContent;
  try {
    await navigator.clipboard.writeText(code);
  } catch {
    return getSelection().selectAllChildren(button.closest("figure").querySelector("code")); // copied by hand then
  }
  const said = button.textContent;
  button.textContent = words.code_copied;
  await later(1500);
  button.textContent = said;
}

root.addEventListener("submit", (event) => {
  if (!event.target.matches(".reason")) return;
  event.preventDefault();
  giveReason(event.target);
});

// ---------------------------------------------------------------- forms

const typed = new Map(); // what was typed into a form that was closed, by form, id and nonce

function openForm(html, message, opener) {
  document.querySelector("dialog.form")?.remove();
  const dialog = fragment(html);
  const form = dialog.querySelector("form");
  const name = [form.dataset.form, form.dataset.id, form.dataset.nonce].join("|");
  const values = () => Object.fromEntries(new FormData(form));
  for (const [field, value] of Object.entries(typed.get(name) ?? {})) {
    if (form.elements[field]) form.elements[field].value = value;
  }
  form.addEventListener("input", () => {
    delete form.dataset.event; // other values are another event
    typed.set(name, values());
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submitForm(dialog, form, message, values(), () => typed.delete(name));
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (opener?.isConnected) opener.focus();
    else box.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  const inputs = [...form.querySelectorAll("input, textarea, select")];
  (inputs.find((each) => each.required && !each.value) ?? inputs[0] ?? form).focus();
}

async function submitForm(dialog, form, message, values, done) {
  const submit = form.querySelector("[type=submit]");
  if (submit.disabled) return;
  form.dataset.event ??= newId();
  submit.disabled = true;
  submit.setAttribute("aria-busy", "");
  const answer = await post("forms", {
    event_id: form.dataset.event,
    form: form.dataset.form,
    id: form.dataset.id,
    nonce: form.dataset.nonce,
    values,
    message,
  });
  submit.disabled = false;
  submit.removeAttribute("aria-busy");
  if (answer.status === 202) {
    done();
    waiting.hidden = false;
    dialog.close();
    return;
  }
  if (answer.status === 200 && answer.data.receipt === "form") {
    done();
    openForm(answer.data.html, message, null);
    return;
  }
  if (answer.status === 422) delete form.dataset.event;
  showErrors(form, answer.data.errors ?? {}, answer.data.errors ? "" : (answer.data.message ?? words.not_sent));
}

function showErrors(form, errors, message) {
  const general = form.querySelector("[data-form-error]");
  const known = new Set();
  for (const place of form.querySelectorAll("[data-error]")) {
    const text = errors[place.dataset.error] ?? "";
    place.textContent = text;
    place.hidden = !text;
    form.elements[place.dataset.error]?.setAttribute("aria-invalid", String(Boolean(text)));
    if (text) known.add(place.dataset.error);
  }
  const others = Object.entries(errors).filter(([field]) => !known.has(field)).map(([, text]) => text);
  general.textContent = [message, ...others].filter(Boolean).join(" ");
  general.hidden = !general.textContent;
  form.querySelector('[aria-invalid="true"]')?.focus();
}

// ---------------------------------------------------------------- the stream of events

let seen = Number(root.dataset.after);
let pause = 1000;

function follow() {
  const source = new EventSource(`${base}/events?thread=${encodeURIComponent(thread)}&after=${seen}`);
  source.addEventListener("hello", () => {
    trouble.hidden = true;
    pause = 1000;
  });
  source.addEventListener("entry", (event) => {
    const data = JSON.parse(event.data);
    seen = Math.max(seen, data.seq);
    onEntry(data);
  });
  source.addEventListener("stream", (event) => onStream(JSON.parse(event.data)));
  source.addEventListener("form", (event) => openForm(JSON.parse(event.data).html, null, null));
  source.addEventListener("error", () => {
    trouble.hidden = false;
    if (source.readyState !== EventSource.CLOSED) return; // the browser connects again by itself
    setTimeout(follow, pause);
    pause = Math.min(pause * 2, 30000);
  });
  window.addEventListener("pagehide", () => source.close(), { once: true });
}

// A page that comes back from the browser's cache has a closed stream and old forms.
window.addEventListener("pageshow", (event) => event.persisted && location.reload());

localTimes(log);
for (const item of unsent()) {
  if (byKey(`person:${item.id}`)) forget(`person:${item.id}`);
  else deliver(item);
}
if (!box.value) box.value = store.get(DRAFT_KEY) ?? "";
grow();
if (log.querySelector('.entry')) log.scrollTop = log.scrollHeight;
root.dataset.ready = "";
follow();
