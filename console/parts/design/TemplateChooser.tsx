import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../../text/catalogue.ts'
import { useLocale } from '../../text/locale.ts'
import { Problem } from '../Problem.tsx'
import { Skeleton } from '../Skeleton.tsx'
import styles from './DesignCard.module.css'
import { DesignPicture } from './DesignCard.tsx'
import type { Design } from './shapes.ts'
import { readDesign, type TemplateLanguage, useSavedDesigns, useTemplates } from './templates.ts'
import { designTexts } from './texts.ts'

/** Chooses what a message begins with: a saved design, or one of the program. */
export function TemplateChooser({ onChosen }: { onChosen(design: Design): void }) {
  const t = useText(designTexts)
  const [language, setLanguage] = useState<TemplateLanguage>(useLocale().language)
  const [error, setError] = useState<unknown>(null)
  const templates = useTemplates(language)
  const saved = useSavedDesigns()
  const retry = (): void => {
    setError(null)
    void templates.refetch()
    void saved.refetch()
  }
  const failed = error ?? templates.error ?? saved.error
  if (failed) return <Problem error={failed} onRetry={retry} />
  if (!templates.data || !saved.data) return <Skeleton />
  const cards = [
    ...saved.data
      .filter(({ type }) => type === 'design')
      .map(({ id, name, description, updateDate }) => ({
        ...{ key: ['saved', id, updateDate], name, description },
        load: (signal?: AbortSignal) => readDesign(id, signal),
      })),
    ...templates.data.map(({ id, name, description, design }) => ({
      ...{ key: [id, language], name, description },
      load: async () => design,
    })),
  ]
  return (
    <>
      <SegmentedControl
        size="xs"
        mb={12}
        aria-label={t('templateLanguage')}
        data={[
          { value: 'en', label: t('english') },
          { value: 'fr', label: t('french') },
        ]}
        value={language}
        onChange={(value) => setLanguage(value as TemplateLanguage)}
      />
      <ul className={styles['cards']}>
        {cards.map(({ key, name, description, load }) => (
          <li key={key.join()}>
            <button type="button" className={styles['card']} onClick={() => void load().then(onChosen, setError)}>
              <DesignPicture name={key} title={name} load={load} />
              <span className={styles['words']}>
                <bdi>{name}</bdi>
                {description && <small>{description}</small>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
