import { Button, SegmentedControl } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasRight } from '../../api/me.ts'
import { DesignThumbnail } from '../../components/design/DesignCard.tsx'
import {
  readApiDesign,
  type TemplateLanguage,
  useLibraryTemplates,
  useSavedDesigns,
} from '../../components/design/model/templates.ts'
import { designTexts } from '../../components/design/texts.ts'
import cards from '../../components/layout/Cards.module.css'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocale } from '../../text/locale.ts'
import styles from './DesignsPage.module.css'
import { designScreenTexts } from './texts.ts'

const route = getRouteApi('/designs')

function DesignCaption({ name, description }: { name: string; description: string | null }): ReactNode {
  return (
    <span className={cards['words']}>
      <bdi>{name}</bdi>
      {description && <small>{description}</small>}
    </span>
  )
}

function SavedDesigns({ sought }: { sought: string }) {
  const t = useTranslator(designScreenTexts)
  const savedDesigns = useSavedDesigns()
  if (savedDesigns.error) return <ProblemAlert error={savedDesigns.error} onRetry={() => void savedDesigns.refetch()} />
  if (!savedDesigns.data) return <LoadingSkeleton />
  if (savedDesigns.data.length === 0) return <EmptyState title={t('empty')}>{t('emptyWhy')}</EmptyState>
  const matchingDesigns = savedDesigns.data.filter(({ name }) =>
    name.toLocaleLowerCase().includes(sought.toLocaleLowerCase()),
  )
  const designGroups = [
    { title: t('yours'), list: matchingDesigns.filter(({ type }) => type === 'design') },
    { title: t('yourRows'), list: matchingDesigns.filter(({ type }) => type === 'rows') },
  ].filter(({ list }) => list.length > 0)
  if (designGroups.length === 0) return <p>{t('noMatch')}</p>
  return designGroups.map(({ title, list }) => (
    <PagePanel key={title} title={title}>
      <ul className={cards['cards']}>
        {list.map(({ id, name, description, type, updateDate }) => (
          <li key={id}>
            <Link to={objectPaths.design(id)} className={cards['card']}>
              <DesignThumbnail
                name={['saved', id, updateDate]}
                title={name}
                load={(signal) => readApiDesign(id, signal)}
                isRows={type === 'rows'}
              />
              <DesignCaption name={name} description={description} />
            </Link>
          </li>
        ))}
      </ul>
    </PagePanel>
  ))
}

function TemplateGallery({ language }: { language: TemplateLanguage }) {
  const t = useTranslator(designScreenTexts)
  const designT = useTranslator(designTexts)
  const navigate = route.useNavigate()
  const templates = useLibraryTemplates(language)
  const languageControl = (
    <SegmentedControl
      size="xs"
      aria-label={t('language')}
      data={[
        { value: 'en', label: designT('english') },
        { value: 'fr', label: designT('french') },
      ]}
      value={language}
      onChange={(value) =>
        void navigate({ search: (before) => ({ ...before, language: value as TemplateLanguage }), replace: true })
      }
    />
  )
  return (
    <PagePanel title={t('templates')} tools={languageControl}>
      {templates.error && <ProblemAlert error={templates.error} onRetry={() => void templates.refetch()} />}
      {templates.isPending && <LoadingSkeleton />}
      <ul className={cards['cards']}>
        {templates.data?.map(({ id, name, description, design }) => (
          <li key={id}>
            <Link to="/designs/new" search={{ from: id, language }} className={cards['card']}>
              <DesignThumbnail name={[id, language]} title={name} load={async () => design} />
              <DesignCaption name={name} description={description} />
            </Link>
          </li>
        ))}
      </ul>
    </PagePanel>
  )
}

/** The designs of the account, and those that come with the program, as pictures. */
export function DesignsPage() {
  const t = useTranslator(designScreenTexts)
  const interfaceLanguage = useLocale().language
  const { q = '', language = interfaceLanguage } = route.useSearch()
  const navigate = route.useNavigate()
  const canWrite = useHasRight('write')
  const createDesign = (): void => void navigate({ to: '/designs/new' })
  useCreateShortcut(createDesign, canWrite)
  return (
    <ScreenPage title={t('designs')} action={canWrite && <Button onClick={createDesign}>{t('newDesign')}</Button>}>
      <SearchField
        label={t('search')}
        value={q}
        onChange={(next) => void navigate({ search: (before) => ({ ...before, q: next }), replace: true })}
      />
      <div className={styles['parts']}>
        <SavedDesigns sought={q} />
        {canWrite && <TemplateGallery language={language} />}
      </div>
    </ScreenPage>
  )
}
