import { Button, Select } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { readApiDesign, useAccountTemplates, useLibraryTemplates } from '../../../components/design/model/templates.ts'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import type { MessageContentProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

const DesignEditor = lazy(() =>
  import('../../../components/design/DesignEditor.tsx').then((module) => ({ default: module.DesignEditor })),
)

/** Blocks: begun with a template; without them the HTML goes on alone. */
export function EmailBlockEditor({ form, isReadOnly }: MessageContentProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const library = useLibraryTemplates()
  const saved = useAccountTemplates()
  const { design } = form.value.content
  const all = [...(saved.data ?? []), ...(library.data ?? [])]
  const begin = async (id: string | null): Promise<void> => {
    const found = library.data?.find((one) => one.id === id)
    const chosen = found?.design ?? (id && (await readApiDesign(Number(id))))
    if (chosen) form.set('/content/design', chosen)
  }
  return (
    <>
      {library.error && <ProblemAlert error={library.error} onRetry={() => void library.refetch()} />}
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
          <Suspense fallback={<LoadingSkeleton lines={[60, 90, 90, 80]} />}>
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
