import { ChoiceField, FieldGroup, TextField } from '../../../parts/form/fields.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Action } from '../action.ts'
import { isTemplate } from '../phones/liquid.ts'
import { TemplateField } from '../phones/TemplateField.tsx'
import type { ContentProps } from '../write/channel.ts'
import type en from './en.ts'
import { LetterCosts } from './LetterCosts.tsx'
import { costOf, roomOf } from './letters.ts'
import { smsTexts } from './texts.ts'

const ALPHABETS = [
  [3, 'alphabet3'],
  [1, 'alphabet1'],
  [2, 'alphabet2'],
] as const
const ROUTES = [
  [1, 'route1'],
  [2, 'route2'],
] as const

/** The text of an SMS, and what decides what it costs. */
export function SmsContent({ form, isReadOnly }: ContentProps<Action>) {
  const t = useText(smsTexts)
  const text = form.value.content.textContent ?? ''
  const { now } = costOf(text)
  const takes = t('takes', {
    ...{ units: now.length, room: roomOf(now), alphabet: t(now.encoding) },
    segments: t('segments', { count: now.segments }),
  })
  const set = (next: string): void => form.set('/content/textContent', next)
  const choices = (all: readonly (readonly [number, keyof typeof en])[]) =>
    all.map(([value, key]) => ({ value: String(value), label: t(key) }))
  const common = { form, isReadOnly }
  return (
    <>
      <FieldGroup>
        <TextField {...common} at="/name" label={t('name')} />
        <TemplateField
          {...common}
          hasLinks
          rows={5}
          at="/content/textContent"
          label={t('text')}
          help={isTemplate(text) ? t('takesTemplate') : takes}
        />
        <LetterCosts
          text={text}
          format={form.value.settings.smsFormat ?? 3}
          onReplace={isReadOnly ? undefined : (next) => set(next)}
        />
      </FieldGroup>
      <FieldGroup title={t('setting')}>
        <TextField {...common} at="/settings/sender" label={t('sender')} help={t('senderHelp')} />
        <ChoiceField
          {...common}
          at="/settings/purpose/type"
          label={t('purpose')}
          choices={(['marketing', 'service'] as const).map((value) => ({ value, label: t(value) }))}
        />
        <ChoiceField {...common} isNumber at="/settings/smsFormat" label={t('alphabet')} choices={choices(ALPHABETS)} />
        <ChoiceField {...common} isNumber at="/settings/smsType" label={t('route')} choices={choices(ROUTES)} />
      </FieldGroup>
    </>
  )
}
