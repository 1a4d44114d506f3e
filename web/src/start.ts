import './fonts.css';
import './ui/css/styles.css';
import { isDoorPath } from './data/signed-out-address.ts';

/**
 * The entry for any address without a document of its own. It is small, so that it runs at once. The
 * documents of frequently opened addresses request their programs themselves.
 */
if (isDoorPath(location.pathname)) void import('./signed-out.tsx');
else void import('./main.ts');
