import { Button, Select } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { readApiDesign, useAccountTemplates, useLibraryTemplates } from '../../../components/design/model/templates.ts'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import type { MessageContentProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

const LazyDesignEditor = lazy(() =>
  import('../../../components/design/DesignEditor.tsx').then((module) => ({ default: module.DesignEditor })),
)

/** Blocks: begun with a template; without them the HTML goes on alone. */
export function EmailBlockEditor({ form, isReadOnly }: MessageContentProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const libraryTemplates = useLibraryTemplates()
  const accountTemplates = useAccountTemplates()
  const { design } = form.value.content
  const allTemplates = [...(accountTemplates.data ?? []), ...(libraryTemplates.data ?? [])]
  const startFromTemplate = async (id: string | null): Promise<void> => {
    const libraryTemplate = libraryTemplates.data?.find((template) => template.id === id)
    const chosenDesign = libraryTemplate?.design ?? (id && (await readApiDesign(Number(id))))
    if (chosenDesign) form.set('/content/design', chosenDesign)
  }
  return (
    <>
      {libraryTemplates.error && (
        <ProblemAlert error={libraryTemplates.error} onRetry={() => void libraryTemplates.refetch()} />
      )}
      {!isReadOnly && (
        <Select
          maw={560}
          searchable
          label={t('template')}
          description={t('templateWhy')}
          data={allTemplates.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={null}
          onChange={(id) => void startFromTemplate(id)}
        />
      )}
      {design && (
        <div data-wide>
          <Suspense fallback={<LoadingSkeleton lines={[60, 90, 90, 80]} />}>
            <LazyDesignEditor
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
