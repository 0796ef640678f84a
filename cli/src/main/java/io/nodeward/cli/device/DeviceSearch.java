package io.nodeward.cli.device;

import io.nodeward.cli.explain.NoSuchObjectException;
import io.nodeward.cli.explain.Words;
import java.util.List;

/** Finds the device that a user names: as {@code NODE/NAME}, {@code POOL/NAME} or {@code DRIVER/POOL/NAME}. */
final class DeviceSearch {
    private static final int SHOWN = 10;

    private DeviceSearch() {}

    /**
     * Of all that there are. The whole name is that of one device, whatever else it reads as.
     *
     * @throws IllegalArgumentException naming those that may be meant, if there are several
     */
    static Device find(List<Device> all, String text) throws NoSuchObjectException {
        List<Device> found = all.stream().filter(device -> device.name().toString().equals(text)).toList();
        if (found.isEmpty()) {
            found = all.stream().filter(device -> isNamed(device, text)).toList();
        }
        if (found.size() > 1) {
            throw new IllegalArgumentException("several devices are named " + text + ": " + names(found));
        }
        if (found.isEmpty()) {
            throw new NoSuchObjectException("there is no device " + text + "; " + others(all, text));
        }
        return found.get(0);
    }

    private static boolean isNamed(Device device, String text) {
        String name = "/" + device.name().device();
        return text.endsWith(name) && isPlace(device, text.substring(0, text.length() - name.length()));
    }

    private static boolean isPlace(Device device, String place) {
        return !place.isEmpty() && (place.equals(device.name().pool()) || place.equals(device.node()));
    }

    /** Those in the same place first. */
    private static String others(List<Device> all, String text) {
        String place = text.substring(0, Math.max(0, text.lastIndexOf('/')));
        List<Device> near = all.stream().filter(device -> isPlace(device, place)).toList();
        if (!near.isEmpty()) {
            return place + " has: " + names(near);
        }
        return all.isEmpty() ? "there is none at all" : "there are: " + names(all);
    }

    private static String names(List<Device> devices) {
        return Words.some(devices.stream().map(device -> device.name().toString()).toList(), SHOWN);
    }
}
