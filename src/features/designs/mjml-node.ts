/** An element of MJML as its compiler reads it; `content` of those that hold HTML. */
export interface MjmlNode {
  tagName: string
  attributes: Record<string, string>
  children?: MjmlNode[]
  content?: string
}

type NodeAttributes = Record<string, string | number | undefined>

function omitUndefined(attributes: NodeAttributes): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/** An element of elements. */
export function createParentNode(tagName: string, attributes: NodeAttributes, children: MjmlNode[]): MjmlNode {
  return { tagName, attributes: omitUndefined(attributes), children }
}

/** An element of HTML. Values of attributes and contents are escaped already. */
export function createLeafNode(tagName: string, attributes: NodeAttributes, content = ''): MjmlNode {
  return { tagName, attributes: omitUndefined(attributes), content }
}

/** Template tags around elements. */
export const createLiquidNode = (code: string): MjmlNode => createLeafNode('mj-raw', {}, code)
