/** Entry of the dashboard view. */
import { startPage } from "./page.ts";
import { dashboardRegion } from "./pages/dashboard.ts";
import { statusRegion } from "./pages/status.ts";
import { registerControls } from "./ui/controls.ts";
import { element } from "./ui/dom.ts";

registerControls();
startPage([statusRegion, dashboardRegion], (elements) => ({
  element: element("div", {}, ...elements.values()),
  open: () => {},
}));
