import { Link } from '@tanstack/react-router'
import { useObjectPath } from '../layout/bar/objects.ts'
import styles from './ObjectLink.module.css'

/** The name of an object, leading to its page. */
export function ObjectLink({ type, id, name }: { type: string; id: string | number; name: string | null }) {
  const path = useObjectPath()(type, id)
  const linkText = name === null || name === '' ? String(id) : name
  if (path === undefined) return <bdi className={styles['name']}>{linkText}</bdi>
  return (
    <Link to={path} className={styles['name']}>
      <bdi>{linkText}</bdi>
    </Link>
  )
}
