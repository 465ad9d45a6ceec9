import { Anchor, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Display.module.css'
import { type ApiDisplayContent, type ApiPlacement, formatPlacementName } from './kinds.ts'
import { displayTexts } from './texts.ts'

/** A value that the page makes for each view, so that impression and click are one. */
const VIEW_ID_MACRO = `<script>
  const view = crypto.randomUUID()
  for (const part of document.querySelectorAll('[data-stentor]'))
    for (const name of ['href', 'src'])
      if (part[name]) part[name] += '?r=' + view
</script>`

interface Props {
  contents: readonly ApiDisplayContent[]
  placements: readonly ApiPlacement[]
  /** The content whose tags are shown. */
  chosen: string | undefined
  onChoose(content: string): void
}

function TagSnippets({ content, placement, contact }: { content: string; placement: string; contact: string }) {
  const t = useTranslator(displayTexts)
  const tagsQuery = useQuery({
    queryKey: ['displayTags', content, placement, contact],
    queryFn: ({ signal }) => {
      const query = { placement, ...(contact !== '' && { contact }) }
      return apiClient.getDisplayContentTags({ path: { id: content }, query, signal })
    },
  })
  if (tagsQuery.error) return <ProblemAlert error={tagsQuery.error} onRetry={() => void tagsQuery.refetch()} />
  if (!tagsQuery.data) return null
  const { html, impression, click } = tagsQuery.data
  return (
    <>
      <CodeBlock code={html} label={t('tagHtml')} wrap />
      <CodeBlock code={impression} label={t('tagImpression')} wrap />
      <CodeBlock code={click} label={t('tagClick')} wrap />
      <h3>{t('try')}</h3>
      <ol className={styles['steps']}>
        <li>{t('tryPage')}</li>
        <li>
          {t('tryClick')}{' '}
          <Anchor href={click} underline="always" target="_blank" rel="noopener noreferrer">
            {t('openClick')}
          </Anchor>
        </li>
        <li>{t('trySee')}</li>
      </ol>
      <h3>{t('join')}</h3>
      <p className={styles['steps']}>{t('joinWhy')}</p>
      <CodeBlock code={VIEW_ID_MACRO} label={t('joinLabel')} wrap />
    </>
  )
}

/** Tags to insert into a page that shows a content, and how to test them. */
export function DisplayTagSnippets({ contents, placements, chosen: chosenContent, onChoose }: Props) {
  const t = useTranslator(displayTexts)
  const [chosenPlacement, setPlaced] = useState<string | null>(null)
  const [contact, setContact] = useState('')
  const shownContent = contents.find(({ id }) => id === chosenContent) ?? contents[0]
  const allowedPlacements = placements.filter(
    ({ id }) => !shownContent?.placements.length || shownContent.placements.includes(id),
  )
  const placement = allowedPlacements.find(({ id }) => id === chosenPlacement) ?? allowedPlacements[0]
  return (
    <PagePanel title={t('tags')}>
      <div className={styles['tags']}>
        <p>{t('tagsWhy')}</p>
        {placements.length === 0 && (
          <p>
            {t('noPlacement')}{' '}
            <Anchor
              underline="always"
              renderRoot={(props) => <Link to="/display/placements/$id" params={{ id: 'new' }} {...props} />}
            >
              {t('newPlacement')}
            </Anchor>
          </p>
        )}
        {shownContent && placement && (
          <>
            <div className={styles['choices']}>
              <Select
                label={t('content')}
                allowDeselect={false}
                data={contents.map(({ id, name }) => ({ value: id, label: name }))}
                value={shownContent.id}
                onChange={(next) => next !== null && onChoose(next)}
              />
              <Select
                label={t('placement')}
                allowDeselect={false}
                data={allowedPlacements.map((allowedPlacement) => ({
                  value: allowedPlacement.id,
                  label: formatPlacementName(allowedPlacement),
                }))}
                value={placement.id}
                onChange={setPlaced}
              />
              <TextInput
                label={t('contactId')}
                placeholder={t('anybody')}
                value={contact}
                onChange={(event) => setContact(event.currentTarget.value.trim())}
              />
            </div>
            <TagSnippets content={shownContent.id} placement={placement.id} contact={contact} />
          </>
        )}
      </div>
    </PagePanel>
  )
}
