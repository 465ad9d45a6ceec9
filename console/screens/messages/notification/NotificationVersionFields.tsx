import { ChoiceField, TextField } from '../../../components/form/fields.tsx'
import { LineList } from '../../../components/form/LineList.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { LiquidTextField } from '../phones/LiquidTextField.tsx'
import styles from '../phones/Phones.module.css'
import { type NotificationForm, type NotificationVersionForm, useApplications } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'

const MOST_BUTTONS = 3

interface Props {
  form: FormState<NotificationForm>
  at: string
  isReadOnly: boolean
}

interface NamedProps extends Props {
  /** What the target is where it is none of the application's own. */
  named: 'route' | 'channel'
  label: string
  help: string
}

/** An address or name that is given, or one that the application has. */
function Named({ form, at, isReadOnly, named, label, help }: NamedProps) {
  const t = useTranslator(notificationTexts)
  const isGiven = readPointerValue(form.value, at) != null
  const isNamed = readPointerValue(form.value, `${at}/type`) === named
  const stored = String(readPointerValue(form.value, `${at}/value`) ?? '')
  const application = useApplications().data?.find(({ id }) => id === form.value.settings.application)
  const names = (named === 'route' ? application?.routes : application?.channels)?.map(({ name }) => name) ?? []
  const choices = [
    { value: 'literal', label: t(named === 'route' ? 'literal' : 'literalChannel') },
    { value: named, label: t(named === 'route' ? 'route' : 'namedChannel') },
  ]
  return (
    <>
      <ChoiceField
        {...{ form: withTarget(form, at), isReadOnly, choices, label, help }}
        at={`${at}/type`}
        isClearable
      />
      {isGiven && !isNamed && (
        <TextField
          {...{ form, isReadOnly }}
          at={`${at}/value`}
          label={t(named === 'route' ? 'leadsTo' : 'channelOfPhone')}
        />
      )}
      {isNamed && (
        <ChoiceField
          {...{ form, isReadOnly }}
          at={`${at}/value`}
          label={t(named === 'route' ? 'routeName' : 'channelName')}
          choices={[...new Set([...names, ...(stored ? [stored] : [])])].map((value) => ({ value, label: value }))}
        />
      )}
    </>
  )
}

/** Where its type is taken away, the target goes with it; a new one begins empty. */
const withTarget = (form: FormState<NotificationForm>, at: string): FormState<NotificationForm> => ({
  ...form,
  set: (pointer, type) => {
    if (pointer !== `${at}/type`) return form.set(pointer, type)
    form.set(at, type === null ? null : { type, value: '' })
  },
})

type Pressed = NotificationVersionForm['content']['buttons'][number]

function Buttons({ form, at, isReadOnly }: Props) {
  const t = useTranslator(notificationTexts)
  const all = (readPointerValue(form.value, at) ?? []) as Pressed[]
  return (
    <section className={styles['part']} aria-label={t('buttons')}>
      <h3>{t('buttons')}</h3>
      <LineList<Pressed>
        values={all}
        onChange={(next) => form.set(at, next)}
        addLabel={t('addButton')}
        fresh={() => ({ title: '', redirection: null })}
        removeLabel={(button) =>
          t('removeButton', { name: button.title || t('button', { number: all.indexOf(button) + 1 }) })
        }
        isReadOnly={isReadOnly}
        className={`${styles['box']} ${styles['removable']}`}
        most={MOST_BUTTONS}
      >
        {(_, place) => (
          <>
            <h4>{t('button', { number: place + 1 })}</h4>
            <TextField {...{ form, isReadOnly }} at={`${at}/${place}/title`} label={t('buttonTitle')} />
            <Named
              {...{ form, isReadOnly }}
              at={`${at}/${place}/redirection`}
              named="route"
              label={t('redirection')}
              help={t('leadsToHelp')}
            />
          </>
        )}
      </LineList>
    </section>
  )
}

/** One version: for whom it is, what it says, and where it leads. */
export function NotificationVersionFields({ form, at, isReadOnly }: Props) {
  const t = useTranslator(notificationTexts)
  const common = { form, isReadOnly }
  const isMaster = readPointerValue(form.value, `${at}/master`) === true
  return (
    <section className={styles['part']}>
      <TextField {...common} at={`${at}/name`} label={t('versionName')} />
      {isMaster ? (
        <small>{t('masterWhy')}</small>
      ) : (
        <TextField {...common} at={`${at}/condition`} label={t('condition')} help={t('conditionHelp')} />
      )}
      <LiquidTextField {...common} rows={1} at={`${at}/content/title`} label={t('title')} />
      <LiquidTextField {...common} rows={3} at={`${at}/content/body`} label={t('body')} />
      <TextField {...common} at={`${at}/content/image`} label={t('image')} />
      <TextField {...common} at={`${at}/content/icon`} label={t('icon')} help={t('iconHelp')} />
      <TextField {...common} at={`${at}/content/thumbnail`} label={t('thumbnail')} help={t('iconHelp')} />
      <Named {...common} at={`${at}/redirection`} named="route" label={t('redirection')} help={t('leadsToHelp')} />
      <Named {...common} at={`${at}/channel`} named="channel" label={t('channel')} help={t('channelHelp')} />
      <Buttons {...common} at={`${at}/content/buttons`} />
    </section>
  )
}
