/** An element of MJML as its compiler reads it; `content` of those that hold HTML. */
export interface MjmlNode {
  tagName: string
  attributes: Record<string, string>
  children?: MjmlNode[]
  content?: string
}

type Attributes = Record<string, string | number | undefined>

function defined(attributes: Attributes): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/** An element of elements. */
export function createParentNode(tagName: string, attributes: Attributes, children: MjmlNode[]): MjmlNode {
  return { tagName, attributes: defined(attributes), children }
}

/** An element of HTML. Values of attributes and contents are escaped already. */
export function createLeafNode(tagName: string, attributes: Attributes, content = ''): MjmlNode {
  return { tagName, attributes: defined(attributes), content }
}

/** Template tags around elements. */
export const createLiquidNode = (code: string): MjmlNode => createLeafNode('mj-raw', {}, code)
