import { ChoiceField, FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { MultiChoiceField } from '../../../components/form/MultiChoiceField.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import { useFindingPlace } from '../finding-place.ts'
import { MessageFindings } from '../MessageFindings.tsx'
import { LiquidTextField } from '../phones/LiquidTextField.tsx'
import { hasLiquidTags } from '../phones/liquid.ts'
import { CategoryField, MorePhoneSettings, PhoneNumberFields, PurposeFields } from '../phones/Settings.tsx'
import { useSendingSettings } from '../use-sending.ts'
import type { MessageContentProps } from '../write/channel.ts'
import { LetterCosts } from './LetterCosts.tsx'
import { estimateSmsCost, smsSegmentCapacity } from './letters.ts'
import { smsTexts } from './texts.ts'
import { useCountries } from './use-countries.ts'

const ALPHABET_IDS = [3, 1, 2] as const
const ROUTE_IDS = [1, 2] as const

const toChoice = ({ id, name }: { id: string | number; name: string }) => ({ value: String(id), label: name })

function SendingFields(contentProps: MessageContentProps<ApiAction>) {
  const t = useTranslator(smsTexts)
  const sendingSettings = useSendingSettings().data
  const smsProfiles = (sendingSettings?.profiles ?? []).filter(({ channel }) => channel === 'sms')
  const analysers = sendingSettings?.webAnalysers ?? []
  const alphabets = ALPHABET_IDS.map((value) => ({ value: String(value), label: t(`alphabet${value}`) }))
  const routeChoices = ROUTE_IDS.map((value) => ({ value: String(value), label: t(`route${value}`) }))
  return (
    <FieldGroup title={t('setting')}>
      <TextField {...contentProps} at="/settings/sender" label={t('sender')} help={t('senderHelp')} />
      <PurposeFields {...contentProps} />
      <ChoiceField {...contentProps} isNumber at="/settings/smsFormat" label={t('alphabet')} choices={alphabets} />
      <ChoiceField {...contentProps} isNumber at="/settings/smsType" label={t('route')} choices={routeChoices} />
      <CategoryField {...contentProps} />
      <MorePhoneSettings {...contentProps}>
        <ChoiceField
          {...contentProps}
          isNumber
          isClearable
          label={t('profile')}
          at="/settings/sendingProfile"
          choices={smsProfiles.map(toChoice)}
        />
        <PhoneNumberFields {...contentProps} />
        <MultiChoiceField
          {...contentProps}
          at="/settings/countries"
          label={t('countries')}
          help={t('countriesWhy')}
          choices={useCountries()}
        />
        {analysers.length > 0 && (
          <ChoiceField
            {...contentProps}
            isNumber
            isClearable
            label={t('analyser')}
            help={t('analyserWhy')}
            at="/settings/webAnalyser"
            choices={analysers.map(toChoice)}
          />
        )}
      </MorePhoneSettings>
    </FieldGroup>
  )
}

/** The text of an SMS, and what decides what it costs. */
export function SmsContentEditor({ form, isReadOnly }: MessageContentProps<ApiAction>) {
  const t = useTranslator(smsTexts)
  const text = form.value.content.textContent ?? ''
  const { now } = estimateSmsCost(text)
  const sizeText = t('takes', {
    units: now.length,
    room: smsSegmentCapacity(now),
    alphabet: t(now.encoding),
    segments: t('segments', { count: now.segments }),
  })
  const fieldProps = { form, isReadOnly }
  const textRef = useFindingPlace<HTMLDivElement>('textContent')
  return (
    <>
      <MessageFindings message={form.value} />
      <FieldGroup>
        <TextField {...fieldProps} at="/name" label={t('name')} />
        <div ref={textRef}>
          <LiquidTextField
            {...fieldProps}
            hasLinks
            rows={5}
            at="/content/textContent"
            label={t('text')}
            help={hasLiquidTags(text) ? t('takesTemplate') : sizeText}
          />
        </div>
        <LetterCosts
          text={text}
          format={form.value.settings.smsFormat ?? 3}
          onReplace={isReadOnly ? undefined : (next) => form.set('/content/textContent', next)}
        />
      </FieldGroup>
      <SendingFields {...fieldProps} />
    </>
  )
}
