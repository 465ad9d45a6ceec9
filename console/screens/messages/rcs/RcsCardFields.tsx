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

const MAX_CARD_SUGGESTIONS = 4

interface Props {
  form: FormState<ApiRcsAction>
  at: string
  isReadOnly: boolean
}

/** A file, by its address or by its name at the provider: a picture, a video, a document. */
export function RcsFileFields({ form, at, isReadOnly }: Props) {
  const t = useTranslator(rcsMessageTexts)
  const fieldProps = { form, isReadOnly }
  const isStoredFile = readPointerValue(form.value, `${at}/fileName`) !== undefined
  const alt = readPointerValue(form.value, `${at}/alt`)
  const changeFileKind = (kind: string): void =>
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
        value={isStoredFile ? 'name' : 'url'}
        onChange={changeFileKind}
      />
      {isStoredFile ? (
        <>
          <TextField {...fieldProps} at={`${at}/fileName`} label={t('fileName')} />
          <TextField {...fieldProps} at={`${at}/thumbnailName`} label={t('thumbnailName')} />
        </>
      ) : (
        <>
          <TextField {...fieldProps} at={`${at}/url`} label={t('mediaAddress')} />
          <TextField {...fieldProps} at={`${at}/thumbnailUrl`} label={t('thumbnail')} />
          <SwitchField {...fieldProps} at={`${at}/forceRefresh`} label={t('forceRefresh')} />
        </>
      )}
      <TextField {...fieldProps} at={`${at}/alt`} label={t('alt')} />
    </>
  )
}

function MediaFields({ form, at, isReadOnly, isTallAllowed }: Props & { isTallAllowed: boolean }) {
  const t = useTranslator(rcsMessageTexts)
  const hasMedia = readPointerValue(form.value, at) !== undefined
  if (!hasMedia && isReadOnly) return null
  if (!hasMedia)
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
        form={form}
        isReadOnly={isReadOnly}
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
  /** Number of a card in a carousel. */
  number?: number
}

/** A card: its picture, its words, and what may be tapped on it. */
export function RcsCardFields({ form, at, isReadOnly, isTallAllowed = true, number }: CardProps) {
  const t = useTranslator(rcsMessageTexts)
  return (
    <section className={styles['part']}>
      <LiquidTextField form={form} at={`${at}/title`} label={t('title')} rows={1} isReadOnly={isReadOnly} />
      <LiquidTextField form={form} at={`${at}/description`} label={t('description')} rows={3} isReadOnly={isReadOnly} />
      <MediaFields form={form} at={`${at}/media`} isReadOnly={isReadOnly} isTallAllowed={isTallAllowed} />
      <RcsSuggestionFields
        form={form}
        at={`${at}/suggestions`}
        label={number === undefined ? t('suggestionsOfCard') : t('suggestionsOfCardNumber', { number })}
        addLabel={number === undefined ? t('addOneCardSuggestion') : t('addCardSuggestion', { number })}
        most={MAX_CARD_SUGGESTIONS}
        isReadOnly={isReadOnly}
      />
    </section>
  )
}
