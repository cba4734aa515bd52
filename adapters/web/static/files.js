// Files that go with the next message. Each is sent as soon as it is chosen, under an id of its own; the message then
// names those that arrived.

const AT_ONCE = 10;

export class Parcels {
  #list;
  #address;
  #csrf;
  #words;
  #all = new Map(); // id → { id, name, size, state: "going" | "there" | "failed", request, line }
  #settled = [];

  constructor({ list, address, csrf, words }) {
    this.#list = list;
    this.#address = address;
    this.#csrf = csrf;
    this.#words = words;
  }

  get count() {
    return this.#all.size;
  }

  add(files) {
    for (const file of files) {
      const going = [...this.#all.values()].filter((each) => each.state !== "failed").length;
      if (going < AT_ONCE) this.#send(file);
      else this.#refuse(this.#parcel(file), this.#words.too_many_files);
    }
  }

  // Resolves when nothing is on its way any more.
  settled() {
    return new Promise((done) => {
      this.#settled.push(done);
      this.#look();
    });
  }

  // Returns what arrived, and takes it off the list; what failed stays there to be seen.
  take() {
    const there = [...this.#all.values()].filter((each) => each.state === "there");
    for (const each of there) this.#drop(each.id);
    return there.map(({ id, name, size }) => ({ id, name, size }));
  }

  #parcel(file) {
    const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const parcel = { id, name: file.name.slice(0, 255), size: file.size, state: "going", request: new XMLHttpRequest() };
    this.#all.set(id, parcel);
    parcel.line = this.#line(parcel);
    return parcel;
  }

  #refuse(parcel, told) {
    parcel.state = "failed";
    parcel.line.querySelector("progress").hidden = true;
    parcel.line.classList.add("failed");
    parcel.line.querySelector(".state").textContent = told;
  }

  #send(file) {
    const parcel = this.#parcel(file);
    const request = parcel.request;
    const progress = parcel.line.querySelector("progress");
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) progress.value = event.loaded / event.total;
    });
    request.addEventListener("loadend", () => {
      if (request.status === 201) {
        parcel.state = "there";
        progress.hidden = true;
      } else this.#refuse(parcel, request.response?.message ?? this.#words.not_sent);
      this.#look();
    });
    request.open("POST", `${this.#address}?id=${parcel.id}`);
    request.responseType = "json";
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("X-CSRF-Token", this.#csrf);
    request.send(file);
  }

  #line(parcel) {
    const line = document.createElement("li");
    line.dataset.parcel = parcel.id;
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = parcel.name;
    const progress = document.createElement("progress");
    progress.max = 1;
    progress.value = 0;
    progress.setAttribute("aria-label", this.#words.uploading);
    const state = document.createElement("span");
    state.className = "state";
    state.setAttribute("role", "status");
    const off = document.createElement("button");
    off.type = "button";
    off.className = "icon";
    off.textContent = "×";
    off.setAttribute("aria-label", `${this.#words.take_off}: ${parcel.name}`);
    off.addEventListener("click", () => {
      parcel.request.abort();
      this.#drop(parcel.id);
      this.#look();
    });
    line.append(name, progress, state, off);
    this.#list.append(line);
    this.#list.hidden = false;
    return line;
  }

  #drop(id) {
    this.#all.delete(id);
    this.#list.querySelector(`[data-parcel="${id}"]`)?.remove();
    this.#list.hidden = this.#all.size === 0;
  }

  #look() {
    if ([...this.#all.values()].some((each) => each.state === "going")) return;
    for (const done of this.#settled.splice(0)) done();
  }
}
