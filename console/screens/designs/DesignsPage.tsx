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

function Words({ name, description }: { name: string; description: string | null }): ReactNode {
  return (
    <span className={cards['words']}>
      <bdi>{name}</bdi>
      {description && <small>{description}</small>}
    </span>
  )
}

function Saved({ sought }: { sought: string }) {
  const t = useTranslator(designScreenTexts)
  const saved = useSavedDesigns()
  if (saved.error) return <ProblemAlert error={saved.error} onRetry={() => void saved.refetch()} />
  if (!saved.data) return <LoadingSkeleton />
  if (saved.data.length === 0) return <EmptyState title={t('empty')}>{t('emptyWhy')}</EmptyState>
  const found = saved.data.filter(({ name }) => name.toLocaleLowerCase().includes(sought.toLocaleLowerCase()))
  const kinds = [
    { title: t('yours'), list: found.filter(({ type }) => type === 'design') },
    { title: t('yourRows'), list: found.filter(({ type }) => type === 'rows') },
  ].filter(({ list }) => list.length > 0)
  if (kinds.length === 0) return <p>{t('noMatch')}</p>
  return kinds.map(({ title, list }) => (
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
              <Words name={name} description={description} />
            </Link>
          </li>
        ))}
      </ul>
    </PagePanel>
  ))
}

function Templates({ language }: { language: TemplateLanguage }) {
  const t = useTranslator(designScreenTexts)
  const words = useTranslator(designTexts)
  const navigate = route.useNavigate()
  const templates = useLibraryTemplates(language)
  const tools = (
    <SegmentedControl
      size="xs"
      aria-label={t('language')}
      data={[
        { value: 'en', label: words('english') },
        { value: 'fr', label: words('french') },
      ]}
      value={language}
      onChange={(value) =>
        void navigate({ search: (before) => ({ ...before, language: value as TemplateLanguage }), replace: true })
      }
    />
  )
  return (
    <PagePanel title={t('templates')} tools={tools}>
      {templates.error && <ProblemAlert error={templates.error} onRetry={() => void templates.refetch()} />}
      {templates.isPending && <LoadingSkeleton />}
      <ul className={cards['cards']}>
        {templates.data?.map(({ id, name, description, design }) => (
          <li key={id}>
            <Link to="/designs/new" search={{ from: id, language }} className={cards['card']}>
              <DesignThumbnail name={[id, language]} title={name} load={async () => design} />
              <Words name={name} description={description} />
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
  const own = useLocale().language
  const { q = '', language = own } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useHasRight('write')
  const create = (): void => void navigate({ to: '/designs/new' })
  useCreateShortcut(create, mayWrite)
  return (
    <ScreenPage title={t('designs')} action={mayWrite && <Button onClick={create}>{t('newDesign')}</Button>}>
      <SearchField
        label={t('search')}
        value={q}
        onChange={(next) => void navigate({ search: (before) => ({ ...before, q: next }), replace: true })}
      />
      <div className={styles['parts']}>
        <Saved sought={q} />
        {mayWrite && <Templates language={language} />}
      </div>
    </ScreenPage>
  )
}
