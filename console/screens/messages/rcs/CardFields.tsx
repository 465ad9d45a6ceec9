import { Button, SegmentedControl } from '@mantine/core'
import { ChoiceField, SwitchField, TextField } from '../../../components/form/fields.tsx'
import { valueAt } from '../../../components/form/pointers.ts'
import type { Form } from '../../../components/form/use-form.ts'
import { useText } from '../../../text/catalogue.ts'
import styles from '../phones/Phones.module.css'
import { TemplateField } from '../phones/TemplateField.tsx'
import type { RcsAction } from './rcs-kind.ts'
import { Suggestions } from './Suggestions.tsx'
import { rcsMessageTexts } from './texts.ts'

const MOST_OF_CARD = 4

interface Props {
  form: Form<RcsAction>
  at: string
  isReadOnly: boolean
}

/** A file, by its address or by its name at the provider: a picture, a video, a document. */
export function FileFields({ form, at, isReadOnly }: Props) {
  const t = useText(rcsMessageTexts)
  const own = { form, isReadOnly }
  const isStored = valueAt(form.value, `${at}/fileName`) !== undefined
  const alt = valueAt(form.value, `${at}/alt`)
  const begin = (kind: string): void =>
    form.set(at, { ...(kind === 'name' ? { fileName: '' } : { url: 'https://' }), ...(alt !== undefined && { alt }) })
  return (
    <>
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('source')}
        readOnly={isReadOnly}
        data={[
          { value: 'url', label: t('sourceUrl') },
          { value: 'name', label: t('sourceName') },
        ]}
        value={isStored ? 'name' : 'url'}
        onChange={begin}
      />
      {isStored ? (
        <>
          <TextField {...own} at={`${at}/fileName`} label={t('fileName')} />
          <TextField {...own} at={`${at}/thumbnailName`} label={t('thumbnailName')} />
        </>
      ) : (
        <>
          <TextField {...own} at={`${at}/url`} label={t('mediaAddress')} />
          <TextField {...own} at={`${at}/thumbnailUrl`} label={t('thumbnail')} />
          <SwitchField {...own} at={`${at}/forceRefresh`} label={t('forceRefresh')} />
        </>
      )}
      <TextField {...own} at={`${at}/alt`} label={t('alt')} />
    </>
  )
}

function Media({ form, at, isReadOnly, isTallAllowed }: Props & { isTallAllowed: boolean }) {
  const t = useText(rcsMessageTexts)
  const has = valueAt(form.value, at) !== undefined
  if (!has && isReadOnly) return null
  if (!has)
    return (
      <div>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => form.set(at, { height: 'MEDIUM', file: { url: 'https://' } })}
        >
          {t('addMedia')}
        </Button>
      </div>
    )
  return (
    <>
      <FileFields form={form} at={`${at}/file`} isReadOnly={isReadOnly} />
      <ChoiceField
        {...{ form, isReadOnly }}
        at={`${at}/height`}
        label={t('height')}
        choices={[
          { value: 'SHORT', label: t('short') },
          { value: 'MEDIUM', label: t('medium') },
          ...(isTallAllowed ? [{ value: 'TALL', label: t('tall') }] : []),
        ]}
      />
      {!isReadOnly && (
        <div>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => form.set(at, undefined)}>
            {t('removeMedia')}
          </Button>
        </div>
      )}
    </>
  )
}

interface CardProps extends Props {
  isTallAllowed?: boolean
  /** Of a card that stands among others. */
  number?: number
}

/** A card: its picture, its words, and what may be tapped on it. */
export function CardFields({ form, at, isReadOnly, isTallAllowed = true, number }: CardProps) {
  const t = useText(rcsMessageTexts)
  return (
    <section className={styles['part']}>
      <TemplateField form={form} at={`${at}/title`} label={t('title')} rows={1} isReadOnly={isReadOnly} />
      <TemplateField form={form} at={`${at}/description`} label={t('description')} rows={3} isReadOnly={isReadOnly} />
      <Media form={form} at={`${at}/media`} isReadOnly={isReadOnly} isTallAllowed={isTallAllowed} />
      <Suggestions
        form={form}
        at={`${at}/suggestions`}
        label={number === undefined ? t('suggestionsOfCard') : t('suggestionsOfCardNumber', { number })}
        addLabel={number === undefined ? t('addOneCardSuggestion') : t('addCardSuggestion', { number })}
        most={MOST_OF_CARD}
        isReadOnly={isReadOnly}
      />
    </section>
  )
}
