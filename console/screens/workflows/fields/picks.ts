import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import type { FieldChoice } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { WorkflowFormNode } from '../model/graph.ts'
import type { ObjectPickKind } from '../model/settings.ts'
import { workflowTexts } from '../texts.ts'
import { nodeTypeLabel } from '../type-words.ts'
import { workflowFieldTexts } from './texts.ts'

interface NamedObject {
  id: string | number
  name: string
  type?: unknown
}
type ObjectReader = (signal: AbortSignal) => Promise<readonly NamedObject[]>

const readSegments: ObjectReader = (signal) => apiClient.listSegments({ signal })
const readActions: ObjectReader = (signal) => apiClient.listActions({ signal })

const readRcsActions: ObjectReader = (signal) => apiClient.listRcsActions({ signal }) as Promise<readonly NamedObject[]>

/** Sources of choices, and the types of the answer that can be chosen. Ids are numbers if the API uses numbers. */
const PICK_SOURCES: Readonly<
  Record<
    Exclude<ObjectPickKind, 'node'>,
    { key: string; read: ObjectReader; only?: readonly string[]; isNumber?: true }
  >
> = {
  mailMessage: { key: 'actions', read: readActions, only: ['mailMessage'] },
  smsMessage: { key: 'actions', read: readActions, only: ['smsMessage'] },
  action: { key: 'actions', read: readActions },
  rcsMessage: { key: 'rcs', read: readRcsActions, isNumber: true, only: ['rcsMessage'] },
  rcsAction: { key: 'rcs', read: readRcsActions, isNumber: true },
  notification: {
    key: 'notifications',
    isNumber: true,
    read: (signal) => apiClient.listNotifications({ signal }),
  },
  segment: { key: 'segments', read: readSegments, isNumber: true },
  staticSegment: { key: 'segments', read: readSegments, only: ['static'], isNumber: true },
  field: { key: 'fields', isNumber: true, read: (signal) => apiClient.listFields({ signal }) },
  webtask: {
    key: 'webtasks',
    isNumber: true,
    read: (signal) => apiClient.listWebtasks({ signal }) as Promise<readonly NamedObject[]>,
  },
  compilable: { key: 'compilables', read: (signal) => apiClient.listCompilables({ signal }) },
  application: {
    key: 'applications',
    read: (signal) => apiClient.listApplications({ signal }) as Promise<readonly NamedObject[]>,
  },
  import: { key: 'imports', isNumber: true, read: (signal) => apiClient.listImports({ signal }) },
}

const NO_OBJECTS: readonly NamedObject[] = []

export interface PickChoices {
  choices: FieldChoice[]
  isNumber: boolean
}

/** Objects that can be chosen by name; `chosenIds` objects are always included, by their id if they no longer exist. */
export function usePickChoices(
  of: ObjectPickKind,
  steps: readonly WorkflowFormNode[],
  chosenIds: readonly unknown[],
): PickChoices {
  const [t, fieldT] = [useTranslator(workflowTexts), useTranslator(workflowFieldTexts)]
  const pickSource = of === 'node' ? null : PICK_SOURCES[of]
  const objectsQuery = useQuery({
    queryKey: ['picks', pickSource?.key],
    queryFn: ({ signal }) => pickSource?.read(signal) ?? NO_OBJECTS,
    enabled: pickSource !== null,
    staleTime: 60_000,
  })
  const nodeObjects =
    of === 'node' ? steps.map(({ id, name, type }) => ({ id, name: name || nodeTypeLabel(t, type) })) : NO_OBJECTS
  const allObjects: readonly NamedObject[] = pickSource ? (objectsQuery.data ?? NO_OBJECTS) : nodeObjects
  const choices = allObjects
    .filter(({ type }) => !pickSource?.only || pickSource.only.includes(String(type)))
    .map(({ id, name }) => ({ value: String(id), label: pickSource?.isNumber ? name : `${name} (${id})` }))
  const knownIds = new Set(choices.map(({ value }) => value))
  const missingIds = chosenIds.map(String).filter((id) => !knownIds.has(id))
  const missingChoices = missingIds.map((id) => ({
    value: id,
    label: objectsQuery.isPending && pickSource ? id : fieldT('isGone', { id }),
  }))
  return { choices: [...choices, ...missingChoices], isNumber: pickSource?.isNumber ?? false }
}
