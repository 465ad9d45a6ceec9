import { Button, Select } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { readDesign, useOwnTemplates, useTemplates } from '../../../components/design/model/templates.ts'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Action } from '../action.ts'
import type { ContentProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

const DesignEditor = lazy(() =>
  import('../../../components/design/DesignEditor.tsx').then((module) => ({ default: module.DesignEditor })),
)

/** Blocks: begun with a template; without them the HTML goes on alone. */
export function Blocks({ form, isReadOnly }: ContentProps<Action>) {
  const t = useText(emailTexts)
  const library = useTemplates()
  const saved = useOwnTemplates()
  const { design } = form.value.content
  const all = [...(saved.data ?? []), ...(library.data ?? [])]
  const begin = async (id: string | null): Promise<void> => {
    const found = library.data?.find((one) => one.id === id)
    const chosen = found?.design ?? (id && (await readDesign(Number(id))))
    if (chosen) form.set('/content/design', chosen)
  }
  return (
    <>
      {library.error && <Problem error={library.error} onRetry={() => void library.refetch()} />}
      {!isReadOnly && (
        <Select
          maw={560}
          searchable
          label={t('template')}
          description={t('templateWhy')}
          data={all.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={null}
          onChange={(id) => void begin(id)}
        />
      )}
      {design && (
        <div data-wide>
          <Suspense fallback={<Skeleton lines={[60, 90, 90, 80]} />}>
            <DesignEditor
              design={design}
              isReadOnly={isReadOnly}
              onChange={(next) => form.set('/content/design', next)}
            />
          </Suspense>
        </div>
      )}
      {design && !isReadOnly && (
        <div>
          <Button size="compact-sm" variant="default" onClick={() => form.set('/content/design', null)}>
            {t('withoutDesign')}
          </Button>
          <small> {t('withoutDesignWhy')}</small>
        </div>
      )}
    </>
  )
}
