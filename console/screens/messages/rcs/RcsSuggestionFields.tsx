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
  /** Where the list stands. */
  at: string
  label: string
  addLabel: string
  most: number
  isReadOnly: boolean
}

interface OneProps {
  form: FormState<ApiRcsAction>
  at: string
  isReadOnly: boolean
  t: Translator<typeof en>
}

function Address({ t, ...own }: OneProps) {
  const isPage = readPointerValue(own.form.value, `${own.at}/application`) === 'WEBVIEW'
  return (
    <>
      <TextField {...own} at={`${own.at}/url`} label={t('url')} />
      <SwitchField {...own} at={`${own.at}/tracked`} label={t('tracked')} />
      <ChoiceField
        {...own}
        isClearable
        at={`${own.at}/application`}
        label={t('application')}
        choices={[
          { value: 'BROWSER', label: t('browser') },
          { value: 'WEBVIEW', label: t('webview') },
        ]}
      />
      {isPage && (
        <>
          <ChoiceField
            {...own}
            isClearable
            at={`${own.at}/webviewViewMode`}
            label={t('viewMode')}
            choices={VIEW_MODES.map((value) => ({ value, label: t(value) }))}
          />
          <TextField {...own} at={`${own.at}/description`} label={t('alt')} />
        </>
      )}
    </>
  )
}

function Place({ t, ...own }: OneProps) {
  return (
    <>
      <TextField {...own} at={`${own.at}/label`} label={t('label')} />
      <div className={styles['line']}>
        <NumberField {...own} at={`${own.at}/latitude`} label={t('latitude')} min={-90} max={90} />
        <NumberField {...own} at={`${own.at}/longitude`} label={t('longitude')} min={-180} max={180} />
      </div>
      <TextField {...own} at={`${own.at}/query`} label={t('place')} />
    </>
  )
}

function CalendarEvent({ t, ...own }: OneProps) {
  const { zone } = useLocaleFormat()
  return (
    <>
      <TextField {...own} at={`${own.at}/title`} label={t('eventTitle')} />
      {(['startTime', 'endTime'] as const).map((member) => {
        const at = `${own.at}/${member}`
        const isWritten = hasLiquidTags(String(readPointerValue(own.form.value, at) ?? ''))
        // A date that a template makes is a text; any other is chosen.
        return isWritten ? (
          <TextField key={member} {...own} at={at} label={t(member)} />
        ) : (
          <FormInstantField key={member} {...own} at={at} label={t(member)} help={zone} zone={zone} />
        )
      })}
      <TextField {...own} at={`${own.at}/description`} label={t('description')} />
    </>
  )
}

function Composed({ t, ...own }: OneProps) {
  const one = readPointerValue(own.form.value, own.at) as ApiRcsSuggestion & { recording?: string }
  const { message: _, recording: __, ...rest } = one as typeof one & { message?: string }
  const form: FormState<ApiRcsAction> = {
    ...own.form,
    // A text or a recording: one of them is there.
    set: (_pointer, next) =>
      own.form.set(own.at, next === 'TEXT' ? { ...rest, message: '' } : { ...rest, recording: next }),
    value: own.form.value,
  }
  const choices = [
    { value: 'TEXT', label: t('composedText') },
    ...RECORDINGS.map((value) => ({ value, label: t(value) })),
  ]
  return (
    <>
      <TextField {...own} at={`${own.at}/phoneNumber`} label={t('number')} />
      <Chosen
        {...{ form, choices, label: t('composed'), isReadOnly: own.isReadOnly }}
        value={one.recording ?? 'TEXT'}
      />
      {one.recording === undefined && <TextField {...own} at={`${own.at}/message`} label={t('message')} />}
    </>
  )
}

interface ChosenProps {
  form: FormState<ApiRcsAction>
  label: string
  value: string
  choices: readonly { value: string; label: string }[]
  isReadOnly: boolean
}

/** One of some that is no member of its own in the document: `set` of its form says what it changes. */
function Chosen({ form, value, ...rest }: ChosenProps) {
  const shown = { ...form, value: { chosen: value } } as unknown as FormState<{ chosen: string }>
  return <ChoiceField {...rest} form={shown} at="/chosen" />
}

function Members({ type, ...own }: OneProps & { type: ApiRcsSuggestion['type'] }) {
  const { t } = own
  if (type === 'openUrl') return <Address {...own} />
  if (type === 'viewLocation') return <Place {...own} />
  if (type === 'createCalendarEvent') return <CalendarEvent {...own} />
  if (type === 'compose') return <Composed {...own} />
  return type === 'dial' ? <TextField {...own} at={`${own.at}/phoneNumber`} label={t('number')} /> : null
}

function One({ suggestion: { type, text, postback }, ...own }: OneProps & { suggestion: ApiRcsSuggestion }) {
  const { form, at, t } = own
  // Another kind keeps the words, and what comes back.
  const changed: FormState<ApiRcsAction> = {
    ...form,
    set: (_, next) =>
      form.set(at, { ...BLANK_RCS_SUGGESTIONS[next as ApiRcsSuggestion['type']], text, ...(postback && { postback }) }),
  }
  return (
    <>
      <h4>{text || t(type)}</h4>
      <Chosen
        {...{ form: changed, isReadOnly: own.isReadOnly, label: t('kind'), value: type }}
        choices={RCS_SUGGESTION_TYPES.map((value) => ({ value, label: t(value) }))}
      />
      <TextField {...own} at={`${at}/text`} label={t('suggestionText')} />
      <Members {...own} type={type} />
      <TextField {...own} at={`${at}/postback`} label={t('postback')} />
      {type !== 'reply' && <TextField {...own} at={`${at}/fallbackUrl`} label={t('fallbackUrl')} />}
    </>
  )
}

/** What may be tapped: each with its words, and what it does. */
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
        {(suggestion, place) => <One {...{ form, isReadOnly, t, suggestion }} at={`${at}/${place}`} />}
      </LineList>
    </section>
  )
}
