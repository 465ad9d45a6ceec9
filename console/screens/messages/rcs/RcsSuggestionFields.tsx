import { ChoiceField, NumberField, SwitchField, TextField } from '../../../components/form/fields.tsx'
import { LineList } from '../../../components/form/LineList.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { type Translator, useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { hasLiquidTags } from '../phones/liquid.ts'
import styles from '../phones/Phones.module.css'
import { FormInstantField } from '../write/MessageSchedule.tsx'
import type en from './en.ts'
import { type ApiRcsAction, type ApiRcsSuggestion, BLANK_RCS_SUGGESTIONS, RCS_SUGGESTION_TYPES } from './rcs-kind.ts'
import { rcsMessageTexts } from './texts.ts'

const VIEW_MODES = ['FULL', 'TALL', 'HALF'] as const
const RECORDINGS = ['AUDIO', 'VIDEO'] as const

interface Props {
  form: FormState<ApiRcsAction>
  /** Pointer to the list. */
  at: string
  label: string
  addLabel: string
  most: number
  isReadOnly: boolean
}

interface SuggestionProps {
  form: FormState<ApiRcsAction>
  at: string
  isReadOnly: boolean
  t: Translator<typeof en>
}

function AddressFields({ t, ...suggestionProps }: SuggestionProps) {
  const isPage = readPointerValue(suggestionProps.form.value, `${suggestionProps.at}/application`) === 'WEBVIEW'
  return (
    <>
      <TextField {...suggestionProps} at={`${suggestionProps.at}/url`} label={t('url')} />
      <SwitchField {...suggestionProps} at={`${suggestionProps.at}/tracked`} label={t('tracked')} />
      <ChoiceField
        {...suggestionProps}
        isClearable
        at={`${suggestionProps.at}/application`}
        label={t('application')}
        choices={[
          { value: 'BROWSER', label: t('browser') },
          { value: 'WEBVIEW', label: t('webview') },
        ]}
      />
      {isPage && (
        <>
          <ChoiceField
            {...suggestionProps}
            isClearable
            at={`${suggestionProps.at}/webviewViewMode`}
            label={t('viewMode')}
            choices={VIEW_MODES.map((value) => ({ value, label: t(value) }))}
          />
          <TextField {...suggestionProps} at={`${suggestionProps.at}/description`} label={t('alt')} />
        </>
      )}
    </>
  )
}

function PlaceFields({ t, ...suggestionProps }: SuggestionProps) {
  return (
    <>
      <TextField {...suggestionProps} at={`${suggestionProps.at}/label`} label={t('label')} />
      <div className={styles['line']}>
        <NumberField
          {...suggestionProps}
          at={`${suggestionProps.at}/latitude`}
          label={t('latitude')}
          min={-90}
          max={90}
        />
        <NumberField
          {...suggestionProps}
          at={`${suggestionProps.at}/longitude`}
          label={t('longitude')}
          min={-180}
          max={180}
        />
      </div>
      <TextField {...suggestionProps} at={`${suggestionProps.at}/query`} label={t('place')} />
    </>
  )
}

function CalendarEventFields({ t, ...suggestionProps }: SuggestionProps) {
  const { zone } = useLocaleFormat()
  return (
    <>
      <TextField {...suggestionProps} at={`${suggestionProps.at}/title`} label={t('eventTitle')} />
      {(['startTime', 'endTime'] as const).map((member) => {
        const datePointer = `${suggestionProps.at}/${member}`
        const isWritten = hasLiquidTags(String(readPointerValue(suggestionProps.form.value, datePointer) ?? ''))
        // A date that a template makes is a text; any other is chosen.
        return isWritten ? (
          <TextField key={member} {...suggestionProps} at={datePointer} label={t(member)} />
        ) : (
          <FormInstantField
            key={member}
            {...suggestionProps}
            at={datePointer}
            label={t(member)}
            help={zone}
            zone={zone}
          />
        )
      })}
      <TextField {...suggestionProps} at={`${suggestionProps.at}/description`} label={t('description')} />
    </>
  )
}

function ComposedMessageFields({ t, ...suggestionProps }: SuggestionProps) {
  const composedSuggestion = readPointerValue(suggestionProps.form.value, suggestionProps.at) as ApiRcsSuggestion & {
    recording?: string
  }
  const {
    message: _,
    recording: __,
    ...remainingMembers
  } = composedSuggestion as typeof composedSuggestion & { message?: string }
  const form: FormState<ApiRcsAction> = {
    ...suggestionProps.form,
    // A text or a recording: one of them is there.
    set: (_pointer, next) =>
      suggestionProps.form.set(
        suggestionProps.at,
        next === 'TEXT' ? { ...remainingMembers, message: '' } : { ...remainingMembers, recording: next },
      ),
    value: suggestionProps.form.value,
  }
  const composeChoices = [
    { value: 'TEXT', label: t('composedText') },
    ...RECORDINGS.map((value) => ({ value, label: t(value) })),
  ]
  return (
    <>
      <TextField {...suggestionProps} at={`${suggestionProps.at}/phoneNumber`} label={t('number')} />
      <VirtualChoiceField
        form={form}
        choices={composeChoices}
        label={t('composed')}
        isReadOnly={suggestionProps.isReadOnly}
        value={composedSuggestion.recording ?? 'TEXT'}
      />
      {composedSuggestion.recording === undefined && (
        <TextField {...suggestionProps} at={`${suggestionProps.at}/message`} label={t('message')} />
      )}
    </>
  )
}

interface VirtualChoiceProps {
  form: FormState<ApiRcsAction>
  label: string
  value: string
  choices: readonly { value: string; label: string }[]
  isReadOnly: boolean
}

/** One of some that is no member of its own in the document: `set` of its form says what it changes. */
function VirtualChoiceField({ form, value, ...choiceProps }: VirtualChoiceProps) {
  const choiceForm = { ...form, value: { chosen: value } } as unknown as FormState<{ chosen: string }>
  return <ChoiceField {...choiceProps} form={choiceForm} at="/chosen" />
}

function SuggestionMembers({ type, ...suggestionProps }: SuggestionProps & { type: ApiRcsSuggestion['type'] }) {
  const { t } = suggestionProps
  if (type === 'openUrl') return <AddressFields {...suggestionProps} />
  if (type === 'viewLocation') return <PlaceFields {...suggestionProps} />
  if (type === 'createCalendarEvent') return <CalendarEventFields {...suggestionProps} />
  if (type === 'compose') return <ComposedMessageFields {...suggestionProps} />
  return type === 'dial' ? (
    <TextField {...suggestionProps} at={`${suggestionProps.at}/phoneNumber`} label={t('number')} />
  ) : null
}

function SuggestionCard({
  suggestion: { type, text, postback },
  ...suggestionProps
}: SuggestionProps & { suggestion: ApiRcsSuggestion }) {
  const { form, at, t } = suggestionProps
  // Another kind keeps the words, and what comes back.
  const changedForm: FormState<ApiRcsAction> = {
    ...form,
    set: (_, next) =>
      form.set(at, { ...BLANK_RCS_SUGGESTIONS[next as ApiRcsSuggestion['type']], text, ...(postback && { postback }) }),
  }
  return (
    <>
      <h4>{text || t(type)}</h4>
      <VirtualChoiceField
        form={changedForm}
        isReadOnly={suggestionProps.isReadOnly}
        label={t('kind')}
        value={type}
        choices={RCS_SUGGESTION_TYPES.map((value) => ({ value, label: t(value) }))}
      />
      <TextField {...suggestionProps} at={`${at}/text`} label={t('suggestionText')} />
      <SuggestionMembers {...suggestionProps} type={type} />
      <TextField {...suggestionProps} at={`${at}/postback`} label={t('postback')} />
      {type !== 'reply' && <TextField {...suggestionProps} at={`${at}/fallbackUrl`} label={t('fallbackUrl')} />}
    </>
  )
}

/** Suggestions that can be tapped: each with its text and its action. */
export function RcsSuggestionFields({ form, at, label, addLabel, most, isReadOnly }: Props) {
  const t = useTranslator(rcsMessageTexts)
  return (
    <section className={styles['part']} aria-label={label}>
      <h3>{label}</h3>
      <LineList<ApiRcsSuggestion>
        values={(readPointerValue(form.value, at) ?? []) as ApiRcsSuggestion[]}
        onChange={(next) => form.set(at, next)}
        addLabel={addLabel}
        fresh={() => BLANK_RCS_SUGGESTIONS.reply}
        removeLabel={({ text, type }) => t('removeSuggestion', { name: text || t(type) })}
        isReadOnly={isReadOnly}
        className={`${styles['box']} ${styles['removable']}`}
        most={most}
      >
        {(suggestion, place) => (
          <SuggestionCard form={form} isReadOnly={isReadOnly} t={t} suggestion={suggestion} at={`${at}/${place}`} />
        )}
      </LineList>
    </section>
  )
}
