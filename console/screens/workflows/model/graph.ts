import { readPointerValue, setPointerValue } from '../../../components/form/pointers.ts'

/** A node of a workflow, as the interface holds it: members that the console does not know stay as they are. */
export interface WorkflowFormNode {
  type: string
  id: string
  name?: string | null
  default?: boolean
  settings?: Record<string, unknown>
  next?: string | null
  [member: string]: unknown
}

/** A way out of a node: where in the node its target stands. */
export interface WorkflowNodeOutput {
  at: string
  label: string
  target: string | null
}

const TARGETS: Readonly<Record<string, readonly string[]>> = {
  wait: ['timeoutNext'],
  'wait.all': ['timeoutNext'],
  if: ['then', 'else'],
  match: ['then', 'else'],
  'data-explorer-v2.match': ['then', 'else'],
  sample: ['then', 'else'],
  switch: ['default'],
  conditionaltimeslots: ['default'],
  experiment: ['holdoutNext'],
  'data-table/pipeline': ['empty'],
}
const LISTS: Readonly<Record<string, string>> = {
  switch: 'cases',
  conditionaltimeslots: 'cases',
  split: 'branches',
  experiment: 'branches',
  'wait.race': 'waits',
}
const WITHOUT_NEXT = new Set([...Object.keys(LISTS), 'if', 'match', 'data-explorer-v2.match', 'sample', 'terminal'])

const targetAt = (step: WorkflowFormNode, at: string): string | null => {
  const target = readPointerValue(step, at)
  return typeof target === 'string' && target !== '' ? target : null
}

const entriesOf = (list: unknown): Record<string, unknown>[] =>
  Array.isArray(list) ? list.map((entry) => (entry !== null && typeof entry === 'object' ? entry : {})) : []

/** What a case or branch is called: its id, or the value that it is for. */
function entryLabel(entry: Record<string, unknown>, index: number): string {
  const words = entry['id'] ?? (entry['value'] === undefined ? index + 1 : JSON.stringify(entry['value']))
  return entry['weight'] === undefined ? String(words) : `${words} ${entry['weight']} %`
}

const kept = new WeakMap<WorkflowFormNode, readonly WorkflowNodeOutput[]>()

/** Every way out of a node, those that lead nowhere yet included. Nodes are never changed in place: what was found is kept. */
export function listNodeOutputs(step: WorkflowFormNode): readonly WorkflowNodeOutput[] {
  const found = kept.get(step) ?? readOutputs(step)
  kept.set(step, found)
  return found
}

function readOutputs(step: WorkflowFormNode): WorkflowNodeOutput[] {
  const { type, settings = {} } = step
  const output = (at: string, label: string): WorkflowNodeOutput => ({ at, label, target: targetAt(step, at) })
  const list = LISTS[type]
  const outputs = [
    ...(list
      ? entriesOf(settings[list]).map((entry, n) => output(`/settings/${list}/${n}/next`, entryLabel(entry, n)))
      : []),
    ...(TARGETS[type] ?? []).map((name) => output(`/settings/${name}`, name)),
  ]
  if (type === 'script' && settings['outputs'] !== null && typeof settings['outputs'] === 'object')
    for (const label of Object.keys(settings['outputs']))
      outputs.push(output(`/settings/outputs/${label.replaceAll('~', '~0').replaceAll('/', '~1')}`, label))
  if (readPointerValue(settings, '/failure/mode') === 'goto') outputs.push(output('/settings/failure/next', 'failure'))
  const next = output('/next', 'next')
  return WITHOUT_NEXT.has(type) && next.target === null ? outputs : [next, ...outputs]
}

/** Leads a way out to another node, or nowhere. */
export const connectNodes = (
  steps: readonly WorkflowFormNode[],
  from: string,
  at: string,
  to: string | null,
): WorkflowFormNode[] => steps.map((step) => (step.id === from ? setPointerValue(step, at, to) : step))

/** The first way out that leads nowhere yet. */
export const findFreeOutput = (step: WorkflowFormNode): WorkflowNodeOutput | undefined =>
  listNodeOutputs(step).find(({ target }) => target === null)

/** An id that no node has: the type's last word, numbered. */
export function createNodeId(steps: readonly WorkflowFormNode[], type: string): string {
  const word = type.split(/[./]/).at(-1) ?? type
  const taken = new Set(steps.map(({ id }) => id))
  for (let n = 1; ; n++) {
    const id = n === 1 ? word : `${word}-${n}`
    if (!taken.has(id)) return id
  }
}

/** A node at the end of the list, behind another one: on its free way out, else between it and where its first way leads. */
export function addNode(
  steps: readonly WorkflowFormNode[],
  step: WorkflowFormNode,
  after?: string,
): WorkflowFormNode[] {
  const before = steps.find(({ id }) => id === after)
  const way = before && (findFreeOutput(before) ?? listNodeOutputs(before)[0])
  if (!before || !way) return [...steps, step]
  const own = listNodeOutputs(step)[0]
  const fresh = own && way.target !== null && own.target === null ? setPointerValue(step, own.at, way.target) : step
  return [...connectNodes(steps, before.id, way.at, step.id), fresh]
}

/** Without some nodes; what led to them leads nowhere. */
export function removeNodes(steps: readonly WorkflowFormNode[], ids: ReadonlySet<string>): WorkflowFormNode[] {
  return steps
    .filter(({ id }) => !ids.has(id))
    .map((step) =>
      listNodeOutputs(step)
        .filter(({ target }) => target !== null && ids.has(target))
        .reduce((changed, { at }) => setPointerValue(changed, at, null), step),
    )
}

/** Copies of some nodes with ids of their own; ways among them lead among the copies, others nowhere. */
export function pasteNodes(
  steps: readonly WorkflowFormNode[],
  copied: readonly WorkflowFormNode[],
): { steps: WorkflowFormNode[]; ids: string[] } {
  const all = [...steps]
  const names = new Map<string, string>()
  for (const step of copied) {
    const id = createNodeId(all, step.type)
    names.set(step.id, id)
    all.push({ ...step, id, default: false })
  }
  const copies = all.slice(steps.length).map((step) =>
    listNodeOutputs(step)
      .filter(({ target }) => target !== null)
      .reduce((changed, { at, target }) => setPointerValue(changed, at, names.get(target ?? '') ?? null), step),
  )
  return { steps: [...steps, ...copies], ids: copies.map(({ id }) => id) }
}

/** The one node where runs begin that name none. */
export const setEntryNode = (steps: readonly WorkflowFormNode[], entry: string): WorkflowFormNode[] =>
  steps.map((step) =>
    (step.default ?? false) === (step.id === entry) ? step : { ...step, default: step.id === entry },
  )
