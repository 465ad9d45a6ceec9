import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import type { ApiRequestBody } from '../../api/shapes.ts'
import { isSameDocument } from '../../components/form/pointers.ts'
import type { FormState } from '../../components/form/use-form.ts'
import { NEW_RESOURCE_ID } from '../../components/form/use-resource.ts'
import { type ApiScriptFlaw, listRefusedScriptFlaws } from './flaws.ts'
import type { ApiWebtask } from './webtasks/webtask-kind.ts'

const PAUSE_MS = 500
const NONE: readonly ApiScriptFlaw[] = []

type Checked = NonNullable<ApiRequestBody<'/scripting/webtasks/flaws', 'post'>>

/** What is checked of a webtask, as it is written now. */
const checkedOf = (id: string, { value, scripting }: ApiWebtask): Checked => {
  // Secrets are not sent with each pause: nothing that is found depends on them.
  const { secrets: _, ...environment } = scripting.environment
  return {
    value,
    scripting: { ...scripting, environment },
    ...(id !== NEW_RESOURCE_ID && { id: Number(id) }),
  } as Checked
}

/** What the service finds wrong with a webtask as it is written, a moment after each change; nothing of it is stored or run. */
export function useWebtaskFlaws(
  id: string,
  form: FormState<ApiWebtask>,
  isReadOnly: boolean,
): readonly ApiScriptFlaw[] {
  const { value } = form
  // Answers are known by a number: a long text as a key would be hashed with each key that is typed.
  const [rested, setRested] = useState({ nth: 0, checked: checkedOf(id, value) })
  useEffect(() => {
    const timer = setTimeout(() => {
      const checked = checkedOf(id, value)
      setRested((before) => (isSameDocument(before.checked, checked) ? before : { nth: before.nth + 1, checked }))
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [id, value])
  const check = useQuery({
    queryKey: ['webtask', id, 'flaws', rested.nth],
    queryFn: ({ signal }) => readAnswer(apiClient.POST('/scripting/webtasks/flaws', { body: rested.checked, signal })),
    placeholderData: keepPreviousData,
    enabled: !isReadOnly,
    gcTime: 0,
  })
  const refused = listRefusedScriptFlaws(form.error)
  // Those of a refused save are of the same text until it is written on.
  return check.data ?? (refused.length > 0 ? refused : NONE)
}
