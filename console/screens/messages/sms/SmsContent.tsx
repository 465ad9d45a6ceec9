import { ChoiceField, FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { ManyField } from '../../../components/form/ManyField.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Action } from '../action.ts'
import { Findings } from '../Findings.tsx'
import { isTemplate } from '../phones/liquid.ts'
import { CategoryField, MoreSettings, NumberFields, PurposeFields } from '../phones/Settings.tsx'
import { TemplateField } from '../phones/TemplateField.tsx'
import { useSending } from '../use-sending.ts'
import type { ContentProps } from '../write/channel.ts'
import { LetterCosts } from './LetterCosts.tsx'
import { costOf, roomOf } from './letters.ts'
import { smsTexts } from './texts.ts'
import { useCountries } from './use-countries.ts'

const ALPHABETS = [3, 1, 2] as const
const ROUTES = [1, 2] as const

const named = ({ id, name }: { id: string | number; name: string }) => ({ value: String(id), label: name })

function Sending(own: ContentProps<Action>) {
  const t = useText(smsTexts)
  const sending = useSending().data
  const profiles = (sending?.profiles ?? []).filter(({ channel }) => channel === 'sms')
  const analysers = sending?.webAnalysers ?? []
  const alphabets = ALPHABETS.map((value) => ({ value: String(value), label: t(`alphabet${value}`) }))
  const routes = ROUTES.map((value) => ({ value: String(value), label: t(`route${value}`) }))
  return (
    <FieldGroup title={t('setting')}>
      <TextField {...own} at="/settings/sender" label={t('sender')} help={t('senderHelp')} />
      <PurposeFields {...own} />
      <ChoiceField {...own} isNumber at="/settings/smsFormat" label={t('alphabet')} choices={alphabets} />
      <ChoiceField {...own} isNumber at="/settings/smsType" label={t('route')} choices={routes} />
      <CategoryField {...own} />
      <MoreSettings {...own}>
        <ChoiceField
          {...own}
          {...{ isNumber: true, isClearable: true, label: t('profile') }}
          at="/settings/sendingProfile"
          choices={profiles.map(named)}
        />
        <NumberFields {...own} />
        <ManyField
          {...own}
          at="/settings/countries"
          label={t('countries')}
          help={t('countriesWhy')}
          choices={useCountries()}
        />
        {analysers.length > 0 && (
          <ChoiceField
            {...own}
            {...{ isNumber: true, isClearable: true, label: t('analyser'), help: t('analyserWhy') }}
            at="/settings/webAnalyser"
            choices={analysers.map(named)}
          />
        )}
      </MoreSettings>
    </FieldGroup>
  )
}

/** The text of an SMS, and what decides what it costs. */
export function SmsContent({ form, isReadOnly }: ContentProps<Action>) {
  const t = useText(smsTexts)
  const text = form.value.content.textContent ?? ''
  const { now } = costOf(text)
  const takes = t('takes', {
    ...{ units: now.length, room: roomOf(now), alphabet: t(now.encoding) },
    segments: t('segments', { count: now.segments }),
  })
  const own = { form, isReadOnly }
  return (
    <>
      <Findings message={form.value} />
      <FieldGroup>
        <TextField {...own} at="/name" label={t('name')} />
        <TemplateField
          {...own}
          hasLinks
          rows={5}
          at="/content/textContent"
          label={t('text')}
          help={isTemplate(text) ? t('takesTemplate') : takes}
        />
        <LetterCosts
          text={text}
          format={form.value.settings.smsFormat ?? 3}
          onReplace={isReadOnly ? undefined : (next) => form.set('/content/textContent', next)}
        />
      </FieldGroup>
      <Sending {...own} />
    </>
  )
}
