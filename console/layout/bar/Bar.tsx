import { Link, useRouterState } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { layoutTexts } from '../texts.ts'
import styles from './Bar.module.css'
import { AccountMenu, UserMenu } from './BarMenus.tsx'
import { findNavigationPlace, type NavigationPart, type NavigationSection, navigationSections } from './navigation.ts'
import { ProductLogo } from './ProductLogo.tsx'

function NavigationPartLink({ part, isOpen }: { part: NavigationPart; isOpen: boolean }) {
  const t = useTranslator(layoutTexts)
  if (!useHasRight(part.right ?? 'read')) return null
  return (
    <li>
      {part.isOutside ? (
        <a href={part.to} target="_blank" rel="noreferrer" className={styles['part']}>
          {t(part.key)}
        </a>
      ) : (
        <Link to={part.to} className={styles['part']} aria-current={isOpen ? 'page' : undefined}>
          {t(part.key)}
        </Link>
      )}
    </li>
  )
}

function NavigationItem({ section, onGo }: { section: NavigationSection; onGo?: () => void }) {
  const t = useTranslator(layoutTexts)
  const { key, to, icon: SectionIcon, parts = [], right = 'read' } = section
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const openPlace = findNavigationPlace(path)
  const isOpen = openPlace?.section === section
  const hasRight = useHasRight(right)
  if (!hasRight) return null
  return (
    <li onClick={onGo} className={section.isAtFoot ? styles['last'] : undefined}>
      <Link
        to={to}
        className={styles['section']}
        data-open={isOpen || undefined}
        data-here={(isOpen && openPlace.part === section) || undefined}
        title={t(key)}
      >
        <SectionIcon size={18} stroke={1.6} aria-hidden />
        <span className={styles['label']}>{t(key)}</span>
      </Link>
      {isOpen && parts.length > 0 && (
        <ul className={styles['parts']}>
          {parts.map((part) => (
            <NavigationPartLink key={part.to} part={part} isOpen={openPlace.part === part} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Content of the sidebar, and of the sheet that replaces it on a phone. */
export function SidebarContent({ onGo }: { onGo?: () => void }) {
  const t = useTranslator(layoutTexts)
  return (
    <div className={styles['content']}>
      <Link to="/" className={styles['brand']} onClick={onGo} aria-label={`Stentor, ${t('home')}`}>
        <ProductLogo size={24} />
        <span className={styles['label']}>Stentor</span>
      </Link>
      <nav aria-label={t('navigation')} className={styles['nav']}>
        <ul>
          {navigationSections.map((section) => (
            <NavigationItem key={section.key} section={section} {...(onGo && { onGo })} />
          ))}
        </ul>
      </nav>
      <div className={styles['foot']}>
        <AccountMenu />
        <UserMenu />
      </div>
    </div>
  )
}
