import { Button } from '@mantine/core'
import { ChoiceField, TextField } from '../../../parts/form/fields.tsx'
import { valueAt } from '../../../parts/form/pointers.ts'
import type { Form } from '../../../parts/form/use-form.ts'
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

/** A file by its address: a picture, a video, a document. */
export function FileFields({ form, at, isReadOnly }: Props) {
  const t = useText(rcsMessageTexts)
  const common = { form, isReadOnly }
  return (
    <>
      <TextField {...common} at={`${at}/url`} label={t('mediaAddress')} />
      <TextField {...common} at={`${at}/thumbnailUrl`} label={t('thumbnail')} />
      <TextField {...common} at={`${at}/alt`} label={t('alt')} />
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

/** A card: its picture, its words, and what may be tapped on it. */
export function CardFields({ form, at, isReadOnly, isTallAllowed = true }: Props & { isTallAllowed?: boolean }) {
  const t = useText(rcsMessageTexts)
  return (
    <section className={styles['part']}>
      <TemplateField form={form} at={`${at}/title`} label={t('title')} rows={1} isReadOnly={isReadOnly} />
      <TemplateField form={form} at={`${at}/description`} label={t('description')} rows={3} isReadOnly={isReadOnly} />
      <Media form={form} at={`${at}/media`} isReadOnly={isReadOnly} isTallAllowed={isTallAllowed} />
      <Suggestions
        form={form}
        at={`${at}/suggestions`}
        label={t('suggestionsOfCard')}
        most={MOST_OF_CARD}
        isReadOnly={isReadOnly}
      />
    </section>
  )
}
