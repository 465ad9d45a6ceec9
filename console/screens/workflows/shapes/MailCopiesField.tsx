import { Select, TextInput } from '@mantine/core'
import { ContactField } from '../../../components/ContactField.tsx'
import { LineList } from '../../../components/form/LineList.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { workflowFieldTexts } from '../fields/texts.ts'
import styles from '../WorkflowsPage.module.css'
import { literalShapeTexts } from './texts.ts'
import { type LiteralShapeProps, listLiteralElements } from './value.ts'

interface MailCopy {
  type: string
  value: unknown
  as?: 'cc' | 'bcc'
}

const MAX_COPIES = 20
/** Kinds of receivers that have a field; others are shown by their value and stay as they are. */
const RECEIVER_KINDS = ['address', 'id'] as const

/** Recipients of copies, visible to the others (Cc) or not (Bcc). */
export function MailCopiesField({ value, isReadOnly, onChange }: LiteralShapeProps) {
  const [t, fieldT] = [useTranslator(literalShapeTexts), useTranslator(workflowFieldTexts)]
  const copies = listLiteralElements<MailCopy>(value)
  return (
    <LineList
      values={copies}
      onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      addLabel={t('addCopy')}
      fresh={(): MailCopy => ({ type: 'address', value: '', as: 'cc' })}
      removeLabel={(copy) => fieldT('removeOf', { name: String(copy.value) })}
      most={MAX_COPIES}
      isReadOnly={isReadOnly}
      className={styles['stacked']}
    >
      {(copy, place) => {
        const changeCopy = (change: Partial<MailCopy>): void => onChange(copies.with(place, { ...copy, ...change }))
        const kindChoices = [
          ...RECEIVER_KINDS,
          ...(RECEIVER_KINDS.some((kind) => kind === copy.type) ? [] : [copy.type]),
        ]
        return (
          <div className={styles['fields']}>
            <div className={styles['pair']}>
              <Select
                size="xs"
                aria-label={t('copyAs')}
                allowDeselect={false}
                readOnly={isReadOnly}
                data={(['cc', 'bcc'] as const).map((as) => ({ value: as, label: t(`copy-${as}`) }))}
                value={copy.as ?? 'cc'}
                onChange={(as) => as && changeCopy({ as: as as 'cc' | 'bcc' })}
              />
              <Select
                size="xs"
                aria-label={t('copyOf')}
                allowDeselect={false}
                readOnly={isReadOnly}
                data={kindChoices.map((kind) => ({
                  value: kind,
                  label: kind === 'id' ? fieldT('is-contact') : kind === 'address' ? t('copyAddress') : kind,
                }))}
                value={copy.type}
                onChange={(type) => type && changeCopy({ type, value: '' })}
              />
            </div>
            {copy.type === 'id' ? (
              <ContactField
                isLabelHidden
                size="xs"
                label={fieldT('is-contact')}
                isReadOnly={isReadOnly}
                value={typeof copy.value === 'string' && copy.value !== '' ? copy.value : null}
                onChange={(id) => changeCopy({ value: id ?? '' })}
              />
            ) : (
              <TextInput
                size="xs"
                type={copy.type === 'address' ? 'email' : 'text'}
                aria-label={t('copyAddress')}
                placeholder={t('copyAddress')}
                readOnly={isReadOnly || copy.type !== 'address'}
                value={typeof copy.value === 'string' ? copy.value : JSON.stringify(copy.value)}
                onChange={({ currentTarget }) => changeCopy({ value: currentTarget.value })}
              />
            )}
          </div>
        )
      }}
    </LineList>
  )
}
