import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../../api/client.ts'
import type { FieldChoice } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { WorkflowFormNode } from '../model/graph.ts'
import type { ObjectPickKind } from '../model/settings.ts'
import { workflowTexts } from '../texts.ts'
import { nodeTypeLabel } from '../type-words.ts'
import { workflowFieldTexts } from './texts.ts'

interface Named {
  id: string | number
  name: string
  type?: unknown
}
type Read = (signal: AbortSignal) => Promise<readonly Named[]>

const segments: Read = (signal) => readAnswer(apiClient.GET('/segments', { signal }))
const actions: Read = (signal) => readAnswer(apiClient.GET('/actions', { signal }))

const rcs: Read = (signal) => readAnswer(apiClient.GET('/channel/rcs/actions', { signal })) as Promise<readonly Named[]>

/** What is asked for, and which of the answer can be chosen. Ids are numbers where the interface has numbers. */
const PICKS: Readonly<
  Record<Exclude<ObjectPickKind, 'node'>, { key: string; read: Read; only?: readonly string[]; isNumber?: true }>
> = {
  mailMessage: { key: 'actions', read: actions, only: ['mailMessage'] },
  smsMessage: { key: 'actions', read: actions, only: ['smsMessage'] },
  action: { key: 'actions', read: actions },
  rcsMessage: { key: 'rcs', read: rcs, isNumber: true, only: ['rcsMessage'] },
  rcsAction: { key: 'rcs', read: rcs, isNumber: true },
  notification: {
    ...{ key: 'notifications', isNumber: true },
    read: (signal) => readAnswer(apiClient.GET('/notifications', { signal })),
  },
  segment: { key: 'segments', read: segments, isNumber: true },
  staticSegment: { key: 'segments', read: segments, only: ['static'], isNumber: true },
  field: { key: 'fields', isNumber: true, read: (signal) => readAnswer(apiClient.GET('/fields', { signal })) },
  webtask: {
    ...{ key: 'webtasks', isNumber: true },
    read: (signal) => readAnswer(apiClient.GET('/scripting/webtasks', { signal })) as Promise<readonly Named[]>,
  },
  compilable: { key: 'compilables', read: (signal) => readAnswer(apiClient.GET('/scripting/compilables', { signal })) },
  application: {
    key: 'applications',
    read: (signal) => readAnswer(apiClient.GET('/parameters/applications', { signal })) as Promise<readonly Named[]>,
  },
  import: { key: 'imports', isNumber: true, read: (signal) => readAnswer(apiClient.GET('/imports', { signal })) },
}

const NOTHING: readonly Named[] = []

export interface PickChoices {
  choices: FieldChoice[]
  isNumber: boolean
}

/** What can be chosen by name; `chosen` is always among it, by its id where nothing has it any more. */
export function usePickChoices(
  of: ObjectPickKind,
  steps: readonly WorkflowFormNode[],
  chosen: readonly unknown[],
): PickChoices {
  const [t, own] = [useTranslator(workflowTexts), useTranslator(workflowFieldTexts)]
  const source = of === 'node' ? null : PICKS[of]
  const found = useQuery({
    queryKey: ['picks', source?.key],
    queryFn: ({ signal }) => source?.read(signal) ?? NOTHING,
    enabled: source !== null,
    staleTime: 60_000,
  })
  const nodes =
    of === 'node' ? steps.map(({ id, name, type }) => ({ id, name: name || nodeTypeLabel(t, type) })) : NOTHING
  const all: readonly Named[] = source ? (found.data ?? NOTHING) : nodes
  const choices = all
    .filter(({ type }) => !source?.only || source.only.includes(String(type)))
    .map(({ id, name }) => ({ value: String(id), label: source?.isNumber ? name : `${name} (${id})` }))
  const known = new Set(choices.map(({ value }) => value))
  const lost = chosen.map(String).filter((id) => !known.has(id))
  const unknown = lost.map((id) => ({ value: id, label: found.isPending && source ? id : own('isGone', { id }) }))
  return { choices: [...choices, ...unknown], isNumber: source?.isNumber ?? false }
}
