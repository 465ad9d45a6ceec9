import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const notificationTexts = catalogue(en, () => import('./fr.ts'))
