type Child = Node | string | false

/** Attributes by name; `class`, `data-…` and `aria-…` among them. */
type Attributes = Readonly<Record<string, string | number | true>>

const SVG = "http://www.w3.org/2000/svg"

/** An element with attributes and children. Texts become text nodes, so that nothing in them is markup. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  fill(element, attributes, children)
  return element
}

/** The same for a picture's elements. */
export function svg(name: string, attributes: Attributes, ...children: readonly Child[]): SVGElement {
  const element = document.createElementNS(SVG, name)
  fill(element, attributes, children)
  return element
}

function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [key, value] of Object.entries(attributes)) {
    // ARIA takes an empty value for none.
    element.setAttribute(key, value === true && !key.startsWith("aria-") ? "" : `${value}`)
  }
  for (const child of children) if (child !== false) element.append(child)
}

/** Sets a style's variables. The page's policy refuses `style` attributes, but not this. */
export function setVariables(element: HTMLElement, variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) element.style.setProperty(name, value)
}
