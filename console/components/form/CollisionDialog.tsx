import { Button, Group, Modal } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import styles from './Form.module.css'
import { readPointerValue } from './pointers.ts'
import type { FormState, SaveCollision } from './use-form.ts'

const MAX_VALUE_LENGTH = 400

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '')
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

interface Props<T> {
  form: FormState<T>
  collision: SaveCollision<T>
  nameOf(pointer: string): string
}

/** Two people saved: what differs, side by side, and the choice between both. */
export function CollisionDialog<T>({ form, collision, nameOf }: Props<T>) {
  const t = useTranslator(componentTexts)
  return (
    <Modal opened onClose={() => undefined} withCloseButton={false} title={t('changedBy')} size={640}>
      <p className={styles['why']}>{t('changedByWhy')}</p>
      <table className={styles['differences']}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('theirs')}</th>
            <th scope="col">{t('mine')}</th>
          </tr>
        </thead>
        <tbody>
          {collision.pointers.map((pointer) => (
            <tr key={pointer}>
              <th scope="row">{nameOf(pointer)}</th>
              <td>{formatValue(readPointerValue(collision.theirs.data, pointer))}</td>
              <td>{formatValue(readPointerValue(form.value, pointer))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={() => void form.settle('theirs')}>
          {t('keepTheirs')}
        </Button>
        <Button onClick={() => void form.settle('mine')}>{t('keepMine')}</Button>
      </Group>
    </Modal>
  )
}
