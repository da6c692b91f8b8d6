import { render } from "preact";
import { App } from "./shell/app.tsx";
import { installChartStyle } from "./shell/chart-style.ts";
import { keepKey } from "./shell/contact.ts";
import { installTheme } from "./shell/theme.ts";

installChartStyle();
installTheme();
keepKey();
render(<App />, document.querySelector("#page")!);
