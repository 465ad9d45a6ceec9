import { Button, SegmentedControl } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../api/me.ts'
import { DesignPicture } from '../../components/design/DesignCard.tsx'
import {
  readDesign,
  type TemplateLanguage,
  useSavedDesigns,
  useTemplates,
} from '../../components/design/model/templates.ts'
import { designTexts } from '../../components/design/texts.ts'
import cards from '../../components/layout/Cards.module.css'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { useCreateKey } from '../../layout/dialogs/keys.tsx'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useLocale } from '../../text/locale.ts'
import styles from './Designs.module.css'
import { designsTexts } from './texts.ts'

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
  const t = useText(designsTexts)
  const saved = useSavedDesigns()
  if (saved.error) return <Problem error={saved.error} onRetry={() => void saved.refetch()} />
  if (!saved.data) return <Skeleton />
  if (saved.data.length === 0) return <Empty title={t('empty')}>{t('emptyWhy')}</Empty>
  const found = saved.data.filter(({ name }) => name.toLocaleLowerCase().includes(sought.toLocaleLowerCase()))
  const kinds = [
    { title: t('yours'), list: found.filter(({ type }) => type === 'design') },
    { title: t('yourRows'), list: found.filter(({ type }) => type === 'rows') },
  ].filter(({ list }) => list.length > 0)
  if (kinds.length === 0) return <p>{t('noMatch')}</p>
  return kinds.map(({ title, list }) => (
    <Panel key={title} title={title}>
      <ul className={cards['cards']}>
        {list.map(({ id, name, description, type, updateDate }) => (
          <li key={id}>
            <Link to={pathOf.design(id)} className={cards['card']}>
              <DesignPicture
                name={['saved', id, updateDate]}
                title={name}
                load={(signal) => readDesign(id, signal)}
                isRows={type === 'rows'}
              />
              <Words name={name} description={description} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  ))
}

function Templates({ language }: { language: TemplateLanguage }) {
  const t = useText(designsTexts)
  const words = useText(designTexts)
  const navigate = route.useNavigate()
  const templates = useTemplates(language)
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
    <Panel title={t('templates')} tools={tools}>
      {templates.error && <Problem error={templates.error} onRetry={() => void templates.refetch()} />}
      {templates.isPending && <Skeleton />}
      <ul className={cards['cards']}>
        {templates.data?.map(({ id, name, description, design }) => (
          <li key={id}>
            <Link to="/designs/new" search={{ from: id, language }} className={cards['card']}>
              <DesignPicture name={[id, language]} title={name} load={async () => design} />
              <Words name={name} description={description} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The designs of the account, and those that come with the program, as pictures. */
export function Designs() {
  const t = useText(designsTexts)
  const own = useLocale().language
  const { q = '', language = own } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('write')
  const create = (): void => void navigate({ to: '/designs/new' })
  useCreateKey(create, mayWrite)
  return (
    <Page title={t('designs')} action={mayWrite && <Button onClick={create}>{t('newDesign')}</Button>}>
      <SearchField
        label={t('search')}
        value={q}
        onChange={(next) => void navigate({ search: (before) => ({ ...before, q: next }), replace: true })}
      />
      <div className={styles['parts']}>
        <Saved sought={q} />
        {mayWrite && <Templates language={language} />}
      </div>
    </Page>
  )
}
