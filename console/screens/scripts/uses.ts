import { apiClient } from '../../api/client.ts'
import type { ObjectUse } from '../../components/where-used/WhereUsed.tsx'

/** True if a document contains a member at any depth that the test accepts. */
function containsMember(document: unknown, test: (key: string, value: unknown) => boolean): boolean {
  if (document === null || typeof document !== 'object') return false
  return Object.entries(document).some(([key, value]) => test(key, value) || containsMember(value, test))
}

interface NamedObject {
  id: string | number
  name: string
}

const findUses = (
  type: string,
  candidates: readonly NamedObject[],
  test: (key: string, value: unknown) => boolean,
): ObjectUse[] =>
  candidates.filter((candidate) => containsMember(candidate, test)).map(({ id, name }) => ({ type, id, name }))

/** The webtasks that import a webtask, and the workflows that name it. */
export async function readWebtaskUses(id: number, signal: AbortSignal): Promise<ObjectUse[]> {
  const [webtasks, workflows] = await Promise.all([
    apiClient.listWebtasks({ signal }),
    apiClient.listWorkflows({ signal }),
  ])
  const importingWebtasks = (
    webtasks as readonly { id: number; name: string; scripting: { imports: unknown } }[]
  ).filter(
    ({ scripting }) =>
      Array.isArray(scripting.imports) &&
      scripting.imports.some(
        (candidate: { type?: unknown; value?: unknown }) => candidate.type === 'webtask' && candidate.value === id,
      ),
  )
  return [
    ...importingWebtasks.map(({ id: importer, name }) => ({ type: 'webtask', id: importer, name })),
    ...findUses('workflow', workflows as readonly NamedObject[], (key, value) => key === 'webtask' && value === id),
  ]
}

/** The compilables and workflows that name a compilable. */
export async function readCompilableUses(id: string, signal: AbortSignal): Promise<ObjectUse[]> {
  const [compilables, workflows] = await Promise.all([
    apiClient.listCompilables({ signal }),
    apiClient.listWorkflows({ signal }),
  ])
  const otherCompilables = (compilables as readonly NamedObject[]).filter((candidate) => candidate.id !== id)
  const isReference = (_: string, value: unknown): boolean => value === id
  return [
    ...findUses('compilable', otherCompilables, isReference),
    ...findUses('workflow', workflows as readonly NamedObject[], isReference),
  ]
}
