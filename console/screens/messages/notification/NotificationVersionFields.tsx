import { ChoiceField, TextField } from '../../../components/form/fields.tsx'
import { LineList } from '../../../components/form/LineList.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { LiquidTextField } from '../phones/LiquidTextField.tsx'
import styles from '../phones/Phones.module.css'
import { type NotificationForm, type NotificationVersionForm, useApplications } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'

const MAX_BUTTONS = 3

interface Props {
  form: FormState<NotificationForm>
  at: string
  isReadOnly: boolean
}

interface TargetFieldProps extends Props {
  /** Type of the target that refers to a route or channel of the application. */
  named: 'route' | 'channel'
  label: string
  help: string
}

/** An address or name that is given, or one that the application has. */
function TargetField({ form, at, isReadOnly, named: nameKind, label, help }: TargetFieldProps) {
  const t = useTranslator(notificationTexts)
  const hasTarget = readPointerValue(form.value, at) != null
  const usesName = readPointerValue(form.value, `${at}/type`) === nameKind
  const storedValue = String(readPointerValue(form.value, `${at}/value`) ?? '')
  const application = useApplications().data?.find(({ id }) => id === form.value.settings.application)
  const availableNames =
    (nameKind === 'route' ? application?.routes : application?.channels)?.map(({ name }) => name) ?? []
  const targetChoices = [
    { value: 'literal', label: t(nameKind === 'route' ? 'literal' : 'literalChannel') },
    { value: nameKind, label: t(nameKind === 'route' ? 'route' : 'namedChannel') },
  ]
  return (
    <>
      <ChoiceField
        form={clearEmptyTargets(form, at)}
        isReadOnly={isReadOnly}
        choices={targetChoices}
        label={label}
        help={help}
        at={`${at}/type`}
        isClearable
      />
      {hasTarget && !usesName && (
        <TextField
          form={form}
          isReadOnly={isReadOnly}
          at={`${at}/value`}
          label={t(nameKind === 'route' ? 'leadsTo' : 'channelOfPhone')}
        />
      )}
      {usesName && (
        <ChoiceField
          form={form}
          isReadOnly={isReadOnly}
          at={`${at}/value`}
          label={t(nameKind === 'route' ? 'routeName' : 'channelName')}
          choices={[...new Set([...availableNames, ...(storedValue ? [storedValue] : [])])].map((value) => ({
            value,
            label: value,
          }))}
        />
      )}
    </>
  )
}

/** Removing the type removes the target; a new target starts empty. */
const clearEmptyTargets = (form: FormState<NotificationForm>, at: string): FormState<NotificationForm> => ({
  ...form,
  set: (pointer, type) => {
    if (pointer !== `${at}/type`) return form.set(pointer, type)
    form.set(at, type === null ? null : { type, value: '' })
  },
})

type PushButton = NotificationVersionForm['content']['buttons'][number]

function ButtonFields({ form, at, isReadOnly }: Props) {
  const t = useTranslator(notificationTexts)
  const pushButtons = (readPointerValue(form.value, at) ?? []) as PushButton[]
  return (
    <section className={styles['part']} aria-label={t('buttons')}>
      <h3>{t('buttons')}</h3>
      <LineList<PushButton>
        values={pushButtons}
        onChange={(next) => form.set(at, next)}
        addLabel={t('addButton')}
        fresh={() => ({ title: '', redirection: null })}
        removeLabel={(button) =>
          t('removeButton', { name: button.title || t('button', { number: pushButtons.indexOf(button) + 1 }) })
        }
        isReadOnly={isReadOnly}
        className={`${styles['box']} ${styles['removable']}`}
        most={MAX_BUTTONS}
      >
        {(_, place) => (
          <>
            <h4>{t('button', { number: place + 1 })}</h4>
            <TextField form={form} isReadOnly={isReadOnly} at={`${at}/${place}/title`} label={t('buttonTitle')} />
            <TargetField
              form={form}
              isReadOnly={isReadOnly}
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
  const fieldProps = { form, isReadOnly }
  const isMaster = readPointerValue(form.value, `${at}/master`) === true
  return (
    <section className={styles['part']}>
      <TextField {...fieldProps} at={`${at}/name`} label={t('versionName')} />
      {isMaster ? (
        <small>{t('masterWhy')}</small>
      ) : (
        <TextField {...fieldProps} at={`${at}/condition`} label={t('condition')} help={t('conditionHelp')} />
      )}
      <LiquidTextField {...fieldProps} rows={1} at={`${at}/content/title`} label={t('title')} />
      <LiquidTextField {...fieldProps} rows={3} at={`${at}/content/body`} label={t('body')} />
      <TextField {...fieldProps} at={`${at}/content/image`} label={t('image')} />
      <TextField {...fieldProps} at={`${at}/content/icon`} label={t('icon')} help={t('iconHelp')} />
      <TextField {...fieldProps} at={`${at}/content/thumbnail`} label={t('thumbnail')} help={t('iconHelp')} />
      <TargetField
        {...fieldProps}
        at={`${at}/redirection`}
        named="route"
        label={t('redirection')}
        help={t('leadsToHelp')}
      />
      <TargetField {...fieldProps} at={`${at}/channel`} named="channel" label={t('channel')} help={t('channelHelp')} />
      <ButtonFields {...fieldProps} at={`${at}/content/buttons`} />
    </section>
  )
}
