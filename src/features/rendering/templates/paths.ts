import { type Template, Token, TypeGuards, toValueSync, Value } from 'liquidjs'

/** One path of a template, such as `contact.Firstname`. */
export interface TemplatePath {
  /** Its names; undefined where only a value knows the name. */
  names: (string | undefined)[]
  /** Offset of the path in the text. */
  start: number
}

/** A filter where it is used. */
export interface FilterUse {
  name: string
  /** Offset of the filter's name in the text, the same that liquidjs reports when the filter runs. */
  start: number
  /** The text it is given and its first argument, when they are written in the template. */
  literal: string | undefined
  argument: string | undefined
  /** The paths of the value it is given. */
  input: TemplatePath[]
}

/** Paths, filters and local names that a template uses. */
export interface TemplateUses {
  paths: TemplatePath[]
  filters: FilterUse[]
  /** Names that the template gives to values of its own: assigned, captured, of a loop. */
  locals: Set<string>
}

/** An expression with its filters, as a tag holds it (Value) or as it was read (a token). */
interface FilteredExpression {
  initial: { postfix: Token[] }
  filters: readonly { name: string; args: readonly unknown[] }[]
}

/** Walks a parsed template, all of its branches, whatever the values. */
export function findTemplateUses(nodes: readonly Template[]): TemplateUses {
  const uses: TemplateUses = { paths: [], filters: [], locals: new Set() }
  for (const node of nodes) visitNode(node, uses)
  return uses
}

function visitNode(node: Template, uses: TemplateUses): void {
  for (const argument of node.arguments?.() ?? []) {
    if (argument instanceof Value || TypeGuards.isFilteredValueToken(argument)) collectFiltered(argument, uses)
    else addPaths(uses.paths, listPaths(argument))
  }
  for (const { content } of node.localScope?.() ?? []) uses.locals.add(content)
  for (const name of node.blockScope?.() ?? []) uses.locals.add(name)
  const children: Template[] = node.children === undefined ? [] : toValueSync(node.children(false, true))
  for (const child of children) visitNode(child, uses)
}

function collectFiltered({ initial, filters }: FilteredExpression, uses: TemplateUses): void {
  const input = initial.postfix.flatMap(listPaths)
  const [first] = initial.postfix
  const literal = TypeGuards.isQuotedToken(first) && initial.postfix.length === 1 ? first.content : undefined
  addPaths(uses.paths, input)
  for (const [index, filter] of filters.entries()) {
    const [argument] = filter.args
    uses.filters.push({
      name: filter.name,
      start: getFilterToken(filter).begin,
      literal: index === 0 ? literal : undefined,
      argument: TypeGuards.isQuotedToken(argument) ? argument.content : undefined,
      input,
    })
    for (const value of filter.args) addPaths(uses.paths, listPaths(Array.isArray(value) ? value[1] : value))
  }
}

/** An expression may hold more paths than a call can have arguments. */
function addPaths(paths: TemplatePath[], addedPaths: readonly TemplatePath[]): void {
  for (const path of addedPaths) paths.push(path)
}

/** The token of a filter: itself, or what its member of that name holds, which is private in the types of liquidjs. */
function getFilterToken(filter: object): { begin: number } {
  const token: unknown = filter instanceof Token ? filter : Reflect.get(filter, 'token')
  if (!(token instanceof Token)) throw new Error('liquidjs no longer keeps the tokens of filters.')
  return token
}

/** The paths in one value of an expression, those in brackets of others included. */
function listPaths(token: unknown): TemplatePath[] {
  if (TypeGuards.isRangeToken(token)) return [...listPaths(token.lhs), ...listPaths(token.rhs)]
  if (!TypeGuards.isPropertyAccessToken(token)) return []
  const nestedPaths = token.props.flatMap(listPaths)
  if (token.variable !== undefined) return [...listPaths(token.variable), ...nestedPaths]
  return [{ names: token.props.map(getName), start: token.begin }, ...nestedPaths]
}

function getName(token: unknown): string | undefined {
  const isName = TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isWordToken(token)
  return isName ? String(token.content) : undefined
}
