// Types, chooses and presses at random in the page, and compares the page with the engine. `differences` is from drawn.js.

async ({ seed, count, words }) => {
  const { app } = await import(document.querySelector('script[type=module]').src);
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = (list) => list[random(list.length)];
  const set = (input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const act = (control) => {
    if (control.tagName === "SELECT") {
      control.value = pick([...control.options]).value;
      control.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (control.tagName === "BUTTON") control.click();
    else if (control.type === "checkbox") control.click();
    else if (control.type === "date") set(control, pick(["", "2001-02-03", "1890-12-31"]));
    else if (random(3)) set(control, pick(words));
    else for (const length of [1, 2, 3]) set(control, control.value + "x@é🙂"[random(5)].repeat(length));
  };
  const everything = "#sections :is(input, select, button), #primary, #links button, #locale, #dialog-actions button";
  const isLevel = async () => {
    const end = performance.now() + 30000;
    while (!app.session.snapshot || !app.session.isInSync) {
      if (performance.now() > end) throw new Error("the engine does not answer");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  for (let done = 0; done < count; ) {
    // Several events at once, without waiting for the engine, as a fast typist does.
    for (let burst = 1 + random(12); burst > 0; burst -= 1) {
      const controls = [...document.querySelectorAll(document.querySelector("#dialog").open ? "#dialog-actions button" : everything)]
        .filter((control) => !control.closest("[hidden]") && !control.disabled && !control.readOnly);
      if (!controls.length) break;
      act(pick(controls));
      done += 1;
      localStorage.setItem("done", Number(localStorage.getItem("done")) + 1);
    }
    if (random(3)) await isLevel();
    if (!app.session.isInSync || !app.session.snapshot) continue;
    const found = [app.session.violation, ...differences(document, app.session)].filter(Boolean);
    if (found.length) return found.join("; ");
  }
  return null;
};
