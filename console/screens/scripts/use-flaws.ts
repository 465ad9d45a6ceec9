import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiClient } from '../../api/client.ts'
import type { ApiRequestBody } from '../../api/shapes.ts'
import { isSameDocument } from '../../components/form/pointers.ts'
import type { FormState } from '../../components/form/use-form.ts'
import { NEW_RESOURCE_ID } from '../../components/form/use-resource.ts'
import { type ApiScriptFlaw, listRefusedScriptFlaws } from './flaws.ts'
import type { ApiWebtask } from './webtasks/webtask-kind.ts'

const CHECK_DELAY_MS = 500
const NO_FLAWS: readonly ApiScriptFlaw[] = []

type FlawCheckBody = NonNullable<ApiRequestBody<'checkWebtask'>>

/** Returns the content of a webtask to check, including unsaved changes. */
const buildFlawCheckBody = (id: string, { value, scripting }: ApiWebtask): FlawCheckBody => {
  // Secrets are not sent with each pause: nothing that is found depends on them.
  const { secrets: _, ...environment } = scripting.environment
  return {
    value,
    scripting: { ...scripting, environment },
    ...(id !== NEW_RESOURCE_ID && { id: Number(id) }),
  } as FlawCheckBody
}

/** Flaws of a webtask with unsaved changes, checked by the service shortly after each change; nothing is stored or run. */
export function useWebtaskFlaws(
  id: string,
  form: FormState<ApiWebtask>,
  isReadOnly: boolean,
): readonly ApiScriptFlaw[] {
  const { value } = form
  // Answers are known by a number: a long text as a key would be hashed with each key that is typed.
  const [debouncedInput, setRested] = useState({ nth: 0, checked: buildFlawCheckBody(id, value) })
  useEffect(() => {
    const timer = setTimeout(() => {
      const checkBody = buildFlawCheckBody(id, value)
      setRested((before) =>
        isSameDocument(before.checked, checkBody) ? before : { nth: before.nth + 1, checked: checkBody },
      )
    }, CHECK_DELAY_MS)
    return () => clearTimeout(timer)
  }, [id, value])
  const checkQuery = useQuery({
    queryKey: ['webtask', id, 'flaws', debouncedInput.nth],
    queryFn: ({ signal }) => apiClient.checkWebtask({ body: debouncedInput.checked, signal }),
    placeholderData: keepPreviousData,
    enabled: !isReadOnly,
    gcTime: 0,
  })
  const refusedFlaws = listRefusedScriptFlaws(form.error)
  // Those of a refused save are of the same text until it is written on.
  return checkQuery.data ?? (refusedFlaws.length > 0 ? refusedFlaws : NO_FLAWS)
}
