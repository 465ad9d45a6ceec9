import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const mediaScreenTexts = catalogue(en, () => import('./fr.ts'))
