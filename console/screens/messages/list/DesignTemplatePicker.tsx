import { type ReactNode, useId, useState } from 'react'
import { DesignThumbnail } from '../../../components/design/DesignCard.tsx'
import type { ApiDesign } from '../../../components/design/model/shapes.ts'
import {
  BLANK_DESIGN,
  readApiDesign,
  useAccountTemplates,
  useLibraryTemplates,
} from '../../../components/design/model/templates.ts'
import cards from '../../../components/layout/Cards.module.css'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocale } from '../../../text/locale.ts'
import { messageTexts } from '../texts.ts'
import styles from './DesignTemplatePicker.module.css'

interface CardProps {
  /** Cards of one group are one choice. */
  group: string
  name: string
  description: string | null
  isChosen: boolean
  onChoose(): void
  /** Its picture; absent: it is empty. */
  children?: ReactNode
}

function Card({ group, name, description, isChosen, onChoose, children }: CardProps) {
  return (
    <li>
      <label className={`${cards['card']} ${styles['card']}`}>
        <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
        {children ?? <span className={styles['blank']} aria-hidden />}
        <span className={cards['words']}>
          <bdi>{name}</bdi>
          {description && <small>{description}</small>}
        </span>
      </label>
    </li>
  )
}

/** Reads a design. */
export type DesignLoader = () => Promise<ApiDesign>

/** The design that an email begins with, chosen by its picture: none, one of the program, one of the account. */
export function DesignTemplatePicker({ onChange }: { onChange(load: DesignLoader): void }) {
  const t = useTranslator(messageTexts)
  const { language } = useLocale()
  const group = useId()
  const saved = useAccountTemplates()
  const templates = useLibraryTemplates(language)
  const [chosen, setChosen] = useState('')
  const own = (key: string, load: DesignLoader) => ({
    group,
    isChosen: chosen === key,
    onChoose: () => {
      setChosen(key)
      onChange(load)
    },
  })
  const failed = [saved, templates].find(({ error }) => error !== null)
  return (
    <fieldset className={styles['templates']}>
      <legend>{t('template')}</legend>
      {failed && <ProblemAlert error={failed.error} onRetry={() => void failed.refetch()} />}
      <ul className={cards['cards']}>
        <Card {...own('', async () => BLANK_DESIGN)} name={t('blank')} description={t('blankWhy')} />
        {saved.data?.map(({ id, name, description, updateDate }) => (
          <Card key={id} {...own(String(id), () => readApiDesign(id))} name={name} description={description}>
            <DesignThumbnail
              name={['saved', id, updateDate]}
              title={name}
              load={(signal) => readApiDesign(id, signal)}
            />
          </Card>
        ))}
        {templates.data?.map(({ id, name, description, design }) => (
          <Card key={id} {...own(id, async () => design)} name={name} description={description}>
            <DesignThumbnail name={[id, language]} title={name} load={async () => design} />
          </Card>
        ))}
      </ul>
      {templates.isPending && <LoadingSkeleton />}
    </fieldset>
  )
}
