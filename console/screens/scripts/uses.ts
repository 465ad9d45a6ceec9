import { apiClient, readAnswer } from '../../api/client.ts'
import type { ObjectUse } from '../../components/where-used/WhereUsed.tsx'

/** Whether a document holds a member anywhere that a test accepts. */
function holds(document: unknown, test: (key: string, value: unknown) => boolean): boolean {
  if (document === null || typeof document !== 'object') return false
  return Object.entries(document).some(([key, value]) => test(key, value) || holds(value, test))
}

interface Named {
  id: string | number
  name: string
}

const usesIn = (type: string, all: readonly Named[], test: (key: string, value: unknown) => boolean): ObjectUse[] =>
  all.filter((one) => holds(one, test)).map(({ id, name }) => ({ type, id, name }))

/** The webtasks that import a webtask, and the workflows that name it. */
export async function readWebtaskUses(id: number, signal: AbortSignal): Promise<ObjectUse[]> {
  const [webtasks, workflows] = await Promise.all([
    readAnswer(apiClient.GET('/scripting/webtasks', { signal })),
    readAnswer(apiClient.GET('/scripting/workflows', { signal })),
  ])
  const imports = (webtasks as readonly { id: number; name: string; scripting: { imports: unknown } }[]).filter(
    ({ scripting }) =>
      Array.isArray(scripting.imports) &&
      scripting.imports.some((one: { type?: unknown; value?: unknown }) => one.type === 'webtask' && one.value === id),
  )
  return [
    ...imports.map(({ id: importer, name }) => ({ type: 'webtask', id: importer, name })),
    ...usesIn('workflow', workflows as readonly Named[], (key, value) => key === 'webtask' && value === id),
  ]
}

/** The compilables and workflows that name a compilable. */
export async function readCompilableUses(id: string, signal: AbortSignal): Promise<ObjectUse[]> {
  const [compilables, workflows] = await Promise.all([
    readAnswer(apiClient.GET('/scripting/compilables', { signal })),
    readAnswer(apiClient.GET('/scripting/workflows', { signal })),
  ])
  const others = (compilables as readonly Named[]).filter((one) => one.id !== id)
  const names = (_: string, value: unknown): boolean => value === id
  return [...usesIn('compilable', others, names), ...usesIn('workflow', workflows as readonly Named[], names)]
}
