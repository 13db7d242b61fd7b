
for (const pair of document.querySelectorAll(".pair")) {
  const [before, after] = pair.querySelectorAll("img");
  const size = (img) => img.getAttribute("width") + "x" + img.getAttribute("height");
  if (!after || size(before) !== size(after)) continue;
  const slider = document.createElement("input");
  slider.type = "range";
  slider.setAttribute("aria-label", "how much of the picture is of before");
  slider.addEventListener("input", () => pair.style.setProperty("--at", slider.value + "%"));
  pair.classList.add("slide");
  pair.append(slider);
}
