import {
  Context,
  Drop,
  type Emitter,
  type Liquid,
  Output,
  Parser,
  RawTag,
  type Template,
  type TopLevelToken,
  TypeGuards,
  toValue,
} from 'liquidjs'
import { MAX_REPORTED_FLAWS } from '../flaws.ts'
import type { RenderFragment } from '../html/markers.ts'
import { assertRangeEnd, type RenderBudget, toLiquidLimiter } from './budgets.ts'
import { CapturedHtml, ESCAPING_FILTERS } from './captured-html.ts'

/*
 * Nine of ten nodes of a newsletter are pieces of text, or one value under a fixed path. liquidjs goes through several
 * generators for each of them; here they do the same in plain calls. Whatever else a template holds is left to liquidjs.
 * The classes are what it lets one extend: a parser whose nodes are exchanged, a context that can be asked directly.
 */

type FixedPath = readonly (string | number)[]
type ParsedNode = ReturnType<Parser['parseToken']>
type EscapeValue = (value: unknown) => string

/** Output of the outermost rendering. Tags that render into a separate text, such as `capture`, use another emitter. */
export interface FragmentEmitter extends Emitter {
  readonly fragments: RenderFragment[]
  /** A text of the template, and its fragments. */
  writeStatic(text: string, fragments: readonly RenderFragment[]): void
}

/** True if the node has the quick rendering, which takes next to no time. */
export function isQuickNode(node: Template): boolean {
  return 'isQuick' in node
}

/** Parses like its parent, and exchanges the simple nodes, those within other tags too. */
export class QuickParser extends Parser {
  readonly #escape: EscapeValue | undefined
  readonly #split: (text: string) => RenderFragment[]

  constructor(liquid: Liquid, encode: EscapeValue | undefined, split: (text: string) => RenderFragment[]) {
    super(liquid)
    this.#escape = encode
    this.#split = split
  }

  /**
   * Like its parent, but it takes tokens from the end of a reversed list, since taking the first of a long array moves all others. It
   * gives up after a maximum number of errors: for each of them liquidjs scans the whole text.
   */
  override parseTokens(tokens: TopLevelToken[]): Template[] {
    const remainingTokens = tokens.toReversed()
    const tokenQueue = Object.assign(remainingTokens, { shift: () => remainingTokens.pop() })
    const nodes: Template[] = []
    const errors: unknown[] = []
    for (
      let token = tokenQueue.shift();
      token !== undefined && errors.length < MAX_REPORTED_FLAWS;
      token = tokenQueue.shift()
    ) {
      try {
        nodes.push(this.parseToken(token, tokenQueue))
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw new AggregateError(errors)
    return nodes
  }

  override parseToken(token: TopLevelToken, remaining: TopLevelToken[]): ParsedNode {
    const node = super.parseToken(token, remaining)
    if (TypeGuards.isHTMLToken(token)) return this.#asText(node, token.getContent())
    if (node instanceof RawTag) return this.#asText(node, node.render())
    if (!(node instanceof Output)) return node
    if (this.#escape) escapeOnce(node)
    return quickenNode(node, this.#escape)
  }

  /** A node that writes a text of the template: taken apart here, once for all renderings. */
  #asText(node: ParsedNode, text: string): ParsedNode {
    const fragments = this.#split(text)
    return Object.assign(node, {
      isQuick: true,
      render: (_context: Context, emitter: Emitter | FragmentEmitter) =>
        'writeStatic' in emitter ? emitter.writeStatic(text, fragments) : emitter.write(text),
    })
  }
}

/** Members of `forloop` and `tablerowloop` that templates may use: these are liquidjs objects, whose other members lead to its classes. */
const LOOP_MEMBERS = new Set<unknown>([
  'index',
  'index0',
  'rindex',
  'rindex0',
  'first',
  'last',
  'length',
  'name',
  'parentloop',
  'row',
  'col',
  'col0',
  'col_first',
  'col_last',
])

const getLoop = (scope: object | undefined): unknown =>
  scope !== undefined && 'forloop' in scope ? scope.forloop : undefined

/** Lookup of values in a context. */
export interface QuickContextOptions {
  sync: boolean
  /** Object that resolves names found in no other scope. */
  globals: object
  strictVariables: boolean
}

/** A context that answers a path without generators, notes what it did not find, and keeps to its budget. */
export class QuickContext extends Context {
  /** Paths that were printed and are not there. */
  readonly missing = new Set<string>()
  readonly budget: RenderBudget
  readonly #pushed: object[] = []
  readonly #liquid: Liquid

  constructor(environment: object, liquid: Liquid, options: QuickContextOptions, budget: RenderBudget) {
    const { memory, time } = budget
    super(environment, liquid.options, options, {
      memoryLimit: toLiquidLimiter(memory),
      renderLimit: toLiquidLimiter(time),
      liquid,
    })
    this.budget = budget
    this.#liquid = liquid
  }

  /** The context of one element, in filters such as `where`. */
  override spawn(scope: object = {}): Context {
    return new QuickContext(scope, this.#liquid, this, this.budget)
  }

  override readProperty(holder: unknown, key: string | number | Drop): unknown {
    if (holder instanceof CapturedHtml) return super.readProperty(holder.html as unknown as object, key)
    if (holder instanceof Drop && !LOOP_MEMBERS.has(key)) return undefined
    return super.readProperty(holder as object, key)
  }

  /** A path without names is an end of a range. */
  override _getFromScope(
    scope: unknown,
    path: (string | number | Drop)[] | string,
    strict?: boolean,
  ): IterableIterator<unknown> {
    if (path.length === 0 && typeof path !== 'string') assertRangeEnd(scope)
    return super._getFromScope(scope, path, strict)
  }

  override push(scope: object): number {
    // liquidjs does not tell a loop which one it is in.
    const loop = getLoop(scope)
    if (loop instanceof Drop)
      Object.assign(loop, { parentloop: getLoop(this.#pushed.findLast((outer) => getLoop(outer) instanceof Drop)) })
    this.#pushed.push(scope)
    return super.push(scope)
  }

  override pop(): object | undefined {
    this.#pushed.pop()
    return super.pop()
  }

  read(path: FixedPath): unknown {
    let value: unknown = this.#holderOf(path[0] ?? '')
    for (const name of path) value = this.readProperty(value, name)
    if (value === undefined) this.missing.add(path.join('.'))
    return value
  }

  /** The innermost scope that has the name: of loops, of the template, of the message. */
  #holderOf(name: string | number): object {
    const scope = this.#pushed.findLast((pushed) => name in pushed) ?? this.bottom()
    if (name in scope) return scope
    return name in this.environments ? this.environments : this.globals
  }
}

const BREAKS_FILTER = 'newline_to_br'

/** Moves the escaping of an output before the filter that adds line breaks, and removes it after a filter that escapes. */
function escapeOnce({ value: { filters } }: Output): void {
  const escaping = filters.at(-1)
  if (!escaping || escaping.raw) return
  const breaks = filters.at(-2)?.name === BREAKS_FILTER ? filters.at(-2) : undefined
  const isEscaped = ESCAPING_FILTERS.has(filters.at(breaks ? -3 : -2)?.name ?? '')
  filters.splice(breaks ? -2 : -1, 2, ...(isEscaped ? [] : [escaping]), ...(breaks ? [breaks] : []))
}

/** Exchanges the rendering of an output that is one path of fixed names, escaped as the engine does or raw. */
function quickenNode(node: Output, engineEscape: EscapeValue | undefined): Output {
  const { initial, filters } = node.value
  const [token] = initial.postfix
  if (!TypeGuards.isPropertyAccessToken(token) || initial.postfix.length > 1 || token.variable !== undefined)
    return node
  const path = token.props.flatMap((prop) => (isNameToken(prop) ? prop.content : []))
  const isRaw = filters.length === 1 && filters[0]?.raw === true
  if (path.length < token.props.length || (filters.length > (engineEscape === undefined ? 0 : 1) && !isRaw)) return node
  const encode = isRaw ? undefined : engineEscape
  const renderSlowly = node.render
  return Object.assign(node, {
    isQuick: true,
    render(context: Context, emitter: Emitter) {
      if (!(context instanceof QuickContext) || context.strictVariables)
        return renderSlowly.call(node, context, emitter)
      const value = context.read(path)
      return emitter.write(encode === undefined ? toValue(value) : encode(value))
    },
  })
}

const isNameToken = (token: unknown) =>
  TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isWordToken(token)
