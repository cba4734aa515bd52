// A message that its author removes: asked once, in a dialog; the desk then replaces what it draws.

export class Removal {
  #dialog;
  #words;
  #send; // (id of the message) → { status, data }
  #message = "";
  #opener = null;

  constructor({ dialog, words, send }) {
    this.#dialog = dialog;
    this.#words = words;
    this.#send = send;
    dialog.querySelector("[data-now]").addEventListener("click", () => this.#remove());
    // Its button may have been drawn again, or have gone with the message.
    dialog.addEventListener("close", () => this.#opener?.isConnected && this.#opener.focus());
  }

  ask(button) {
    this.#opener = button;
    this.#message = button.dataset.remove;
    this.#complain("");
    this.#busy(false);
    this.#dialog.showModal();
  }

  async #remove() {
    this.#complain("");
    this.#busy(true);
    const answer = await this.#send(this.#message);
    this.#busy(false);
    if (answer.status === 202) this.#dialog.close();
    else this.#complain(answer.data.message ?? this.#words.not_sent);
  }

  #busy(is) {
    const now = this.#dialog.querySelector("[data-now]");
    now.disabled = is;
    now.textContent = is ? this.#words.removing : this.#words.remove_now;
  }

  #complain(message) {
    const place = this.#dialog.querySelector("[role=alert]");
    place.textContent = message;
    place.hidden = !message;
  }
}
