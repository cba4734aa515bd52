// Runs before the page is drawn, so that a chosen theme does not flash. Also: the theme button, and local times.

const THEME = "dutydesk:theme";
const html = document.documentElement;

function chosen() {
  try {
    return localStorage.getItem(THEME);
  } catch {
    return null;
  }
}

if (chosen()) html.dataset.theme = chosen();

document.addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("theme");
  const dark = () => html.dataset.theme === "dark" || (!html.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  button?.setAttribute("aria-pressed", String(dark()));
  button?.addEventListener("click", () => {
    html.dataset.theme = dark() ? "light" : "dark";
    button.setAttribute("aria-pressed", String(dark()));
    try {
      localStorage.setItem(THEME, html.dataset.theme);
    } catch {
      /* the choice lasts for this page */
    }
  });
  // A form that was sent is not sent again by a second click.
  for (const form of document.querySelectorAll("form[data-once]")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "1";
      event.submitter?.setAttribute("aria-busy", "true");
    });
  }
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
});
