import { readPointerValue, setPointerValue } from '../../../components/form/pointers.ts'
import { WORKFLOW_NODE_KINDS } from './kinds.ts'

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

const readTarget = (step: WorkflowFormNode, at: string): string | null => {
  const targetId = readPointerValue(step, at)
  return typeof targetId === 'string' && targetId !== '' ? targetId : null
}

const toEntries = (list: unknown): Record<string, unknown>[] =>
  Array.isArray(list) ? list.map((entry) => (entry !== null && typeof entry === 'object' ? entry : {})) : []

/** Label of a case or branch: its id, or the value it applies to. */
function entryLabel(entry: Record<string, unknown>, index: number): string {
  const entryName = entry['id'] ?? (entry['value'] === undefined ? index + 1 : JSON.stringify(entry['value']))
  return entry['weight'] === undefined ? String(entryName) : `${entryName} ${entry['weight']} %`
}

const outputsCache = new WeakMap<WorkflowFormNode, readonly WorkflowNodeOutput[]>()

/** Every way out of a node, those that lead nowhere yet included. Nodes are never changed in place: what was found is kept. */
export function listNodeOutputs(step: WorkflowFormNode): readonly WorkflowNodeOutput[] {
  const nodeOutputs = outputsCache.get(step) ?? readOutputs(step)
  outputsCache.set(step, nodeOutputs)
  return nodeOutputs
}

function readOutputs(step: WorkflowFormNode): WorkflowNodeOutput[] {
  const { type, settings = {} } = step
  const createOutput = (at: string, label: string): WorkflowNodeOutput => ({ at, label, target: readTarget(step, at) })
  const { list, targets = [], map, isNextHidden = false } = WORKFLOW_NODE_KINDS[type]?.outputs ?? {}
  const outputs = [
    ...(list
      ? toEntries(settings[list]).map((entry, n) => createOutput(`/settings/${list}/${n}/next`, entryLabel(entry, n)))
      : []),
    ...targets.map((name) => createOutput(`/settings/${name}`, name)),
  ]
  const labeledTargets = map && settings[map]
  if (map && labeledTargets !== null && typeof labeledTargets === 'object')
    for (const label of Object.keys(labeledTargets))
      outputs.push(createOutput(`/settings/${map}/${label.replaceAll('~', '~0').replaceAll('/', '~1')}`, label))
  if (readPointerValue(settings, '/failure/mode') === 'goto')
    outputs.push(createOutput('/settings/failure/next', 'failure'))
  const next = createOutput('/next', 'next')
  return isNextHidden && next.target === null ? outputs : [next, ...outputs]
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
  const typeName = type.split(/[./]/).at(-1) ?? type
  const usedIds = new Set(steps.map(({ id }) => id))
  for (let idNumber = 1; ; idNumber++) {
    const id = idNumber === 1 ? typeName : `${typeName}-${idNumber}`
    if (!usedIds.has(id)) return id
  }
}

/** A node at the end of the list, behind another one: on its free way out, else between it and where its first way leads. */
export function addNode(
  steps: readonly WorkflowFormNode[],
  step: WorkflowFormNode,
  after?: string,
): WorkflowFormNode[] {
  const previousNode = steps.find(({ id }) => id === after)
  const freeOutput = previousNode && (findFreeOutput(previousNode) ?? listNodeOutputs(previousNode)[0])
  if (!previousNode || !freeOutput) return [...steps, step]
  const firstOutput = listNodeOutputs(step)[0]
  const connectedNode =
    firstOutput && freeOutput.target !== null && firstOutput.target === null
      ? setPointerValue(step, firstOutput.at, freeOutput.target)
      : step
  return [...connectNodes(steps, previousNode.id, freeOutput.at, step.id), connectedNode]
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
  const allNodes = [...steps]
  const copiedIds = new Map<string, string>()
  for (const step of copied) {
    const id = createNodeId(allNodes, step.type)
    copiedIds.set(step.id, id)
    allNodes.push({ ...step, id, default: false })
  }
  const linkedCopies = allNodes.slice(steps.length).map((step) =>
    listNodeOutputs(step)
      .filter(({ target }) => target !== null)
      .reduce((changed, { at, target }) => setPointerValue(changed, at, copiedIds.get(target ?? '') ?? null), step),
  )
  return { steps: [...steps, ...linkedCopies], ids: linkedCopies.map(({ id }) => id) }
}

/** The one node where runs begin that name none. */
export const setEntryNode = (steps: readonly WorkflowFormNode[], entry: string): WorkflowFormNode[] =>
  steps.map((step) =>
    (step.default ?? false) === (step.id === entry) ? step : { ...step, default: step.id === entry },
  )
