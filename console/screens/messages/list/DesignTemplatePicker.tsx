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

interface TemplateCardProps {
  /** Cards of one group are one choice. */
  group: string
  name: string
  description: string | null
  isChosen: boolean
  onChoose(): void
  /** Its picture; absent: it is empty. */
  children?: ReactNode
}

function TemplateCard({ group, name, description, isChosen, onChoose, children }: TemplateCardProps) {
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
  const groupName = useId()
  const accountTemplates = useAccountTemplates()
  const templates = useLibraryTemplates(language)
  const [chosenKey, setChosen] = useState('')
  const buildCardProps = (key: string, load: DesignLoader) => ({
    group: groupName,
    isChosen: chosenKey === key,
    onChoose: () => {
      setChosen(key)
      onChange(load)
    },
  })
  const failedQuery = [accountTemplates, templates].find(({ error }) => error !== null)
  return (
    <fieldset className={styles['templates']}>
      <legend>{t('template')}</legend>
      {failedQuery && <ProblemAlert error={failedQuery.error} onRetry={() => void failedQuery.refetch()} />}
      <ul className={cards['cards']}>
        <TemplateCard {...buildCardProps('', async () => BLANK_DESIGN)} name={t('blank')} description={t('blankWhy')} />
        {accountTemplates.data?.map(({ id, name, description, updateDate }) => (
          <TemplateCard
            key={id}
            {...buildCardProps(String(id), () => readApiDesign(id))}
            name={name}
            description={description}
          >
            <DesignThumbnail
              name={['saved', id, updateDate]}
              title={name}
              load={(signal) => readApiDesign(id, signal)}
            />
          </TemplateCard>
        ))}
        {templates.data?.map(({ id, name, description, design }) => (
          <TemplateCard key={id} {...buildCardProps(id, async () => design)} name={name} description={description}>
            <DesignThumbnail name={[id, language]} title={name} load={async () => design} />
          </TemplateCard>
        ))}
      </ul>
      {templates.isPending && <LoadingSkeleton />}
    </fieldset>
  )
}
