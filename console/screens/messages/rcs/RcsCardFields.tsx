import { Button, SegmentedControl } from '@mantine/core'
import { ChoiceField, SwitchField, TextField } from '../../../components/form/fields.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { LiquidTextField } from '../phones/LiquidTextField.tsx'
import styles from '../phones/Phones.module.css'
import { RcsSuggestionFields } from './RcsSuggestionFields.tsx'
import type { ApiRcsAction } from './rcs-kind.ts'
import { rcsMessageTexts } from './texts.ts'

const MOST_OF_CARD = 4

interface Props {
  form: FormState<ApiRcsAction>
  at: string
  isReadOnly: boolean
}

/** A file, by its address or by its name at the provider: a picture, a video, a document. */
export function RcsFileFields({ form, at, isReadOnly }: Props) {
  const t = useTranslator(rcsMessageTexts)
  const own = { form, isReadOnly }
  const isStored = readPointerValue(form.value, `${at}/fileName`) !== undefined
  const alt = readPointerValue(form.value, `${at}/alt`)
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
  const t = useTranslator(rcsMessageTexts)
  const has = readPointerValue(form.value, at) !== undefined
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
      <RcsFileFields form={form} at={`${at}/file`} isReadOnly={isReadOnly} />
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
export function RcsCardFields({ form, at, isReadOnly, isTallAllowed = true, number }: CardProps) {
  const t = useTranslator(rcsMessageTexts)
  return (
    <section className={styles['part']}>
      <LiquidTextField form={form} at={`${at}/title`} label={t('title')} rows={1} isReadOnly={isReadOnly} />
      <LiquidTextField form={form} at={`${at}/description`} label={t('description')} rows={3} isReadOnly={isReadOnly} />
      <Media form={form} at={`${at}/media`} isReadOnly={isReadOnly} isTallAllowed={isTallAllowed} />
      <RcsSuggestionFields
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
