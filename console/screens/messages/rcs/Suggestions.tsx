import { Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { ChoiceField, NumberField, SwitchField, TextField } from '../../../parts/form/fields.tsx'
import { valueAt } from '../../../parts/form/pointers.ts'
import type { Form } from '../../../parts/form/use-form.ts'
import { type Text, useText } from '../../../text/catalogue.ts'
import styles from '../phones/Phones.module.css'
import type en from './en.ts'
import type { RcsAction, Suggestion } from './rcs-kind.ts'
import { rcsMessageTexts } from './texts.ts'

const BLANK: Readonly<Record<Suggestion['type'], Suggestion>> = {
  reply: { type: 'reply', text: '' },
  openUrl: { type: 'openUrl', text: '', url: 'https://', tracked: true },
  dial: { type: 'dial', text: '', phoneNumber: '+' },
  viewLocation: { type: 'viewLocation', text: '', query: '' },
  shareLocation: { type: 'shareLocation', text: '' },
  createCalendarEvent: { type: 'createCalendarEvent', text: '', startTime: '', endTime: '', title: '' },
  compose: { type: 'compose', text: '', phoneNumber: '+', message: '' },
}
const TYPES = Object.keys(BLANK) as Suggestion['type'][]

/** Texts that a kind has beside its words and what comes back. */
const TEXTS: Readonly<Record<Suggestion['type'], readonly (readonly [member: string, label: keyof typeof en])[]>> = {
  reply: [],
  openUrl: [['url', 'url']],
  dial: [['phoneNumber', 'number']],
  viewLocation: [
    ['label', 'label'],
    ['query', 'place'],
  ],
  shareLocation: [],
  createCalendarEvent: [
    ['title', 'eventTitle'],
    ['startTime', 'startTime'],
    ['endTime', 'endTime'],
    ['description', 'description'],
  ],
  compose: [
    ['phoneNumber', 'number'],
    ['message', 'message'],
  ],
}

interface Props {
  form: Form<RcsAction>
  /** Where the list stands. */
  at: string
  label: string
  most: number
  isReadOnly: boolean
}

type OneProps = Pick<Props, 'form' | 'at' | 'isReadOnly'> & { type: Suggestion['type']; t: Text<typeof en> }

function Members({ form, at, isReadOnly, type, t }: OneProps) {
  const common = { form, isReadOnly }
  return (
    <>
      <TextField {...common} at={`${at}/text`} label={t('suggestionText')} />
      {TEXTS[type].map(([member, label]) => (
        <TextField key={member} {...common} at={`${at}/${member}`} label={t(label)} />
      ))}
      {type === 'viewLocation' && (
        <div className={styles['line']}>
          <NumberField {...common} at={`${at}/latitude`} label={t('latitude')} min={-90} max={90} />
          <NumberField {...common} at={`${at}/longitude`} label={t('longitude')} min={-180} max={180} />
        </div>
      )}
      {type === 'openUrl' && (
        <>
          <SwitchField {...common} at={`${at}/tracked`} label={t('tracked')} />
          <ChoiceField
            {...common}
            at={`${at}/application`}
            label={t('application')}
            choices={[
              { value: 'BROWSER', label: t('browser') },
              { value: 'WEBVIEW', label: t('webview') },
            ]}
          />
        </>
      )}
      <TextField {...common} at={`${at}/postback`} label={t('postback')} />
    </>
  )
}

/** What may be tapped: each with its words, and what it does. */
export function Suggestions({ form, at, label, most, isReadOnly }: Props) {
  const t = useText(rcsMessageTexts)
  const all = (valueAt(form.value, at) ?? []) as Suggestion[]
  return (
    <section className={styles['part']} aria-label={label}>
      <h3>{label}</h3>
      {all.map(({ type, text }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: suggestions have no name but their place.
        <section key={place} className={styles['box']}>
          <div className={styles['head']}>
            <strong>{t(type)}</strong>
            {!isReadOnly && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                aria-label={t('removeSuggestion', { name: text || t(type) })}
                onClick={() => form.set(at, all.toSpliced(place, 1))}
              >
                {t('remove')}
              </Button>
            )}
          </div>
          <Members form={form} at={`${at}/${place}`} isReadOnly={isReadOnly} type={type} t={t} />
        </section>
      ))}
      {!isReadOnly && all.length < most && (
        <Menu withinPortal={false}>
          <Menu.Target>
            <Button
              w="fit-content"
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={14} aria-hidden />}
              aria-label={`${t('addSuggestion')}: ${label}`}
            >
              {t('addSuggestion')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {TYPES.map((type) => (
              <Menu.Item key={type} onClick={() => form.set(at, [...all, BLANK[type]])}>
                {t(type)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </section>
  )
}
